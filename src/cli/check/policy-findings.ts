import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { PolicyInvalidError } from '../../domain/errors/operator-errors.js';
import { UpstreamForbiddenError } from '../../domain/errors/upstream-errors.js';
import { fitsAddress, type PolicyFiles } from '../../policy/caller-views.js';
import { type CompiledPolicy, compilePolicy } from '../../policy/compile-view.js';
import type { Binding, Policy, PolicySet } from '../../policy/policy-file.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { textOf } from '../../records/rules/record-view.js';
import { configuredProjects } from '../../server/config/projects-file.js';
import type { Io } from '../io.js';
import type { OpenedClient } from '../open-client.js';
import { counted } from '../printing/table.js';

/** What was found out about the policies of a project, without a look at its records. */
interface PolicyFindings {
  readonly structure: ProjectStructure;
  /** The policies that fit the project. */
  readonly compiled: readonly CompiledPolicy[];
  /** Why policies do not fit it, so that the service closes them. */
  readonly problems: readonly string[];
  /** What is likely a mistake. */
  readonly notes: readonly string[];
}

/** Looks at the policies of a project, their lock and their bindings. */
export async function policyFindings(
  opened: OpenedClient,
  files: PolicyFiles,
  env: Io['env'],
): Promise<PolicyFindings> {
  const { set, lock } = files;
  const structure = await loadProjectStructure(opened.client);
  const compiled: CompiledPolicy[] = [];
  const problems: string[] = [];
  for (const [name, policy] of Object.entries(set.policies)) {
    try {
      compiled.push(compilePolicy(name, policy, structure, lock));
    } catch (error) {
      if (!(error instanceof PolicyInvalidError)) throw error;
      problems.push(...error.errors.map(({ field, message }) => `${name}: ${field} ${message}`));
    }
  }
  const notes = [
    ...neverMatching(set.bindings),
    ...unknownKeys(set.bindings, opened.settings, env),
    ...sharedPrefixes(set),
    ...(await unknownGroups(set, opened.client)),
  ];
  return { structure, compiled, problems, notes };
}

/** Names the data access groups of policies and bindings that the project does not have: whoever is bound to one has no records. */
async function unknownGroups(
  { policies, bindings }: PolicySet,
  { dags }: OpenedClient['client'],
): Promise<string[]> {
  const named = [
    ...Object.entries(policies).map(([name, { records }]) => ({
      place: `policies.${name}.records.dag`,
      dag: typeof records === 'object' && 'dag' in records ? records.dag : undefined,
    })),
    ...bindings.map(({ dag }, index) => ({ place: `bindings[${index}].dag`, dag })),
  ].filter(({ dag }) => dag !== undefined && !dag.startsWith('$'));
  if (named.length === 0) return [];
  const known = new Set((await dags.list()).map(({ uniqueName }) => uniqueName));
  return named
    .filter(({ dag = '' }) => !known.has(dag))
    .map(({ place }) => `${place} is not a data access group of the project: its callers have no records`);
}

/** Names bindings behind one that fits the same callers, or more. */
function neverMatching(bindings: readonly Binding[]): string[] {
  return bindings.flatMap(({ key, session = '' }, index) => {
    const isCovered = bindings
      .slice(0, index)
      .some((one) =>
        key === undefined ? one.session !== undefined && fitsAddress(one.session, session) : one.key === key,
      );
    return isCovered ? [`bindings[${index}] never matches: an earlier one is for the same callers`] : [];
  });
}

/** Names bindings for API keys that do not exist. Where the command is not told the keys, it says nothing. */
function unknownKeys(
  bindings: readonly Binding[],
  settings: OpenedClient['settings'],
  env: Io['env'],
): string[] {
  const { keys, where } = keysOf(settings, env);
  if (keys === undefined) return [];
  return bindings.flatMap(({ key }, index) =>
    key === undefined || keys.has(key) ? [] : [`bindings[${index}] never matches: ${where}`],
  );
}

/** Returns the names of the API keys that open the project; undefined if the command is not told any key. */
function keysOf(
  { app, projectsFile, projectName }: OpenedClient['settings'],
  env: Io['env'],
): {
  readonly keys: ReadonlySet<string> | undefined;
  readonly where: string;
} {
  const own = app.access.apiKeys.map(({ name }) => name);
  if (projectsFile === undefined)
    return { keys: own.length === 0 ? undefined : new Set(own), where: 'API_KEYS has no key of this name' };
  const { keys, default: byDefault } = configuredProjects(env);
  const project = projectName ?? byDefault ?? '';
  const ofProject = keys.filter(({ projects }) => projects.includes(project)).map(({ name }) => name);
  // A key of API_KEYS has the default project.
  const all = [...ofProject, ...(project === byDefault ? own : [])];
  return {
    keys: keys.length + own.length === 0 ? undefined : new Set(all),
    where: `no key of this name opens the project ${project}`,
  };
}

/**
 * Names prefixes of new ids that callers with other records share: that an id cannot be given tells that somebody else
 * has it.
 */
function sharedPrefixes({ policies, bindings }: PolicySet): string[] {
  const creating = Object.entries(policies).flatMap(([name, policy]) => {
    const { create } = policy;
    return typeof create === 'object'
      ? [{ name, prefix: create.prefix, seen: recordsOf(name, policy, bindings) }]
      : [];
  });
  return creating.flatMap(({ name, prefix, seen }) => {
    if (seen === 'all') return [];
    const place = `policies.${name}.create.prefix`;
    if (seen === undefined)
      return [
        `${place} is that of callers of several data access groups, whom a refused id tells that another has it: give each a policy and a prefix of its own`,
      ];
    const others = creating.filter(
      (other) =>
        other.name !== name &&
        other.seen !== seen &&
        (other.prefix.startsWith(prefix) || prefix.startsWith(other.prefix)),
    );
    return others.map(
      (other) =>
        `${place} begins like that of ${other.name}, whose callers have other records: a refused id tells that one of theirs has it`,
    );
  });
}

/** Returns the only group whose records all callers of a policy have, or `all`; undefined if they have different ones. */
function recordsOf(name: string, { records }: Policy, bindings: readonly Binding[]): string | undefined {
  if (typeof records === 'string') return records;
  if (!('dag' in records)) return undefined;
  if (records.dag !== '$caller.dag') return `dag ${records.dag}`;
  const dags = new Set(bindings.filter(({ policy }) => policy === name).map(({ dag }) => dag));
  const [dag] = dags;
  return dags.size > 1 || dag === '$user.dag' ? undefined : `dag ${dag ?? ''}`;
}

/** Says of how many addresses of a project's records somebody would find no record, though `own` is to give them one. */
export async function ownRecordNotes(
  { client }: OpenedClient,
  { set }: PolicyFiles,
  structure: ProjectStructure,
): Promise<string[]> {
  const idName = structure.dictionary.recordIdField?.name ?? '';
  const notes: string[] = [];
  for (const [name, { records }] of Object.entries(set.policies)) {
    if (typeof records !== 'object' || !('own' in records)) continue;
    const { field, event: events } = records.own;
    const found = new Map<string, Set<string>>();
    const elsewhere = new Map<string, string>();
    try {
      for await (const row of client.streamRecords({ fields: [...new Set([idName, field])] })) {
        const address = textOf(row, field).trim().toLowerCase();
        if (!address.includes('@')) continue;
        const event = textOf(row, 'redcap_event_name');
        if (events !== undefined && structure.isLongitudinal && !events.includes(event))
          elsewhere.set(address, event);
        else found.set(address, (found.get(address) ?? new Set()).add(textOf(row, idName)));
      }
    } catch (error) {
      if (!(error instanceof UpstreamForbiddenError)) throw error;
      continue;
    }
    const lost = [...elsewhere].filter(([address]) => !found.has(address));
    const shared = [...found.values()].filter(({ size }) => size > 1).length;
    const place = `policies.${name}.records.own`;
    if (found.size === 0 && lost.length === 0)
      notes.push(`${place}: no record has an address in ${field}, so that nobody finds one`);
    if (lost.length > 0)
      notes.push(
        `${place}: ${lost.length} of ${counted(lost.length + found.size, 'address', 'addresses')} stand at other events only (${[...new Set(lost.map(([, event]) => event))].join(', ')}): these people find no record`,
      );
    if (shared > 0)
      notes.push(
        `${place}: ${counted(shared, 'address', 'addresses')} in several records: these people find none`,
      );
  }
  return notes;
}

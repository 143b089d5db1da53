import { readFile, writeFile } from 'node:fs/promises';
import { callsOf } from '../../client/compose-client.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { NotInPolicyError } from '../../errors/access-errors.js';
import { PolicyInvalidError } from '../../errors/operator-errors.js';
import { CallerViews, type BoundCaller, type PolicyFiles } from '../../policy/caller-views.js';
import { compilePolicy } from '../../policy/compile-view.js';
import { CHANGES_IN_WORDS, verdictsOf } from '../../policy/deidentify/field-verdicts.js';
import type { Deidentification } from '../../policy/deidentify/row-changer.js';
import { loadPolicyFiles, lockPathOf } from '../../policy/load-policy-files.js';
import { readPolicyFile, type Policy, type PolicySet } from '../../policy/policy-file.js';
import {
  acceptAll,
  accessTo,
  readPolicyLock,
  writePolicyLock,
  type PolicyLock,
} from '../../policy/policy-lock.js';
import { rowsInWords, type ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { Secret } from '../../identifiers/secret.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../files/read-text-file.js';
import { withClient, type OpenedClient, type ProjectChoice } from '../open-client.js';
import { toList } from '../options/list-option.js';
import { counted } from '../printing/counted.js';
import { namesInWords } from '../printing/names-in-words.js';

type Options = ProjectChoice & { readonly file?: string | undefined };

/** Prints what does not fit the project, for every policy. @returns 1 if there is something */
export function checkPolicy(options: Options): Promise<ExitCode> {
  return withClient(options, async (opened) => {
    const { set, lock } = await loadPolicyFiles(pathOf(options, opened));
    const structure = await loadProjectStructure(opened.client);
    const lines = Object.entries(set.policies).flatMap(([name, policy]) =>
      problemsOf(name, policy, structure, lock),
    );
    const never = [...neverMatching(set.bindings), ...(await unknownGroups(set, opened.client))];
    const waiting = additions(acceptAll(set, structure, lock.identifying), lock).length;
    for (const line of [...lines, ...never]) process.stdout.write(`${line}\n`);
    if (waiting > 0)
      process.stdout.write(`${counted(waiting, 'field')} hidden until crf policy accept shows them.\n`);
    if (lines.length === 0)
      process.stdout.write(`${Object.keys(set.policies).length} policies checked, all fit the project.\n`);
    return lines.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function problemsOf(name: string, policy: Policy, structure: ProjectStructure, lock: PolicyLock): string[] {
  try {
    compilePolicy(name, policy, structure, lock.policies[name], lock.identifying?.[name]);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyInvalidError)) throw error;
    return error.errors.map(({ field, message }) => `${name}: ${field} ${message}`);
  }
}

/** Names the groups of policies and bindings that the project does not have: whoever is bound to one has no records. */
async function unknownGroups(
  { policies, bindings }: PolicyFiles['set'],
  { dags }: OpenedClient['client'],
): Promise<string[]> {
  const named = [
    ...Object.entries(policies).map(([name, { records }]) => ({
      place: `policies.${name}.records.group`,
      group: typeof records === 'object' && 'group' in records ? records.group : undefined,
    })),
    ...bindings.map(({ group }, index) => ({ place: `bindings[${index}].group`, group })),
  ].filter(({ group }) => group !== undefined && !group.startsWith('$'));
  if (named.length === 0) return [];
  const known = new Set((await dags.export()).map(({ uniqueName }) => uniqueName));
  return named
    .filter(({ group = '' }) => !known.has(group))
    .map(({ place }) => `${place} is not a group of the project: its callers have no records`);
}

/** A binding behind one that fits the same callers, or all of them. */
function neverMatching(bindings: PolicyFiles['set']['bindings']): string[] {
  return bindings.flatMap(({ key, session }, index) => {
    const earlier = bindings.slice(0, index);
    const isCovered = earlier.some((one) =>
      key === undefined ? one.session === '*' || one.session === session : one.key === key,
    );
    return isCovered ? [`bindings[${index}] never matches: an earlier one is for the same callers`] : [];
  });
}

/** Writes the lock, and prints each field that becomes visible, and those that stay hidden until they are named. */
export function acceptPolicy(
  options: Options & { readonly dryRun: boolean; readonly identifying?: readonly string[] | undefined },
): Promise<void> {
  return withClient(options, async (opened) => {
    const path = pathOf(options, opened);
    const set = readPolicyFile(await readTextFile(path));
    const structure = await loadProjectStructure(opened.client);
    const before = await readFile(lockPathOf(path), 'utf8').then(readPolicyLock, unlessMissing);
    const named = toList(options.identifying) ?? [];
    const lock = acceptAll(set, structure, withNamed(named, before.identifying));
    const refused = named.filter((name) => !isAccepted(name, lock));
    if (refused.length > 0)
      throw new CliError(
        `--identifying: ${namesInWords(refused)} ${refused.length === 1 ? 'is' : 'are'} not hidden by de-identification as something that may identify somebody, or cannot be shown. Without --identifying the command lists what can be named.`,
        EXIT_CODES.usage,
      );
    const added = additions(lock, before);
    for (const line of added) process.stdout.write(`+ ${line}\n`);
    for (const line of suspectedIn(set, structure, lock)) process.stdout.write(`? ${line}\n`);
    if (!options.dryRun) await writeFile(lockPathOf(path), writePolicyLock(lock));
    const outcome = options.dryRun ? 'would be added to' : 'added to';
    if (options.quiet !== true)
      process.stderr.write(`${counted(added.length, 'field')} ${outcome} ${lockPathOf(path)}.\n`);
  });
}

type Identifying = NonNullable<PolicyLock['identifying']>;

/** Adds fields, as `policy.field`, to those that were accepted before. */
function withNamed(named: readonly string[], before: Identifying = {}): Identifying {
  const identifying: Identifying = { ...before };
  for (const name of named) {
    const [policy = '', field = ''] = name.split('.');
    identifying[policy] = [...new Set([...(identifying[policy] ?? []), field])];
  }
  return identifying;
}

function isAccepted(name: string, { identifying = {} }: PolicyLock): boolean {
  const [policy = '', field = ''] = name.split('.');
  return Object.hasOwn(identifying, policy) && (identifying[policy]?.includes(field) ?? false);
}

/** Returns the fields that stay hidden because they may identify somebody. */
function suspectedIn(
  set: PolicySet,
  { dictionary }: ProjectStructure,
  { identifying }: PolicyLock,
): string[] {
  return Object.entries(set.policies).flatMap(([name, policy]) => {
    const accepted = identifying?.[name] ?? [];
    return [...(verdictsOf(policy, dictionary.fields, accepted) ?? [])].flatMap(([field, verdict]) => {
      const form = dictionary.field(field)?.instrument ?? '';
      const isHidden = verdict.kind === 'suspected' && !accepted.includes(field);
      return isHidden && accessTo(policy, form) !== undefined
        ? [`${name}.${field} stays hidden: ${verdict.why}`]
        : [];
    });
  });
}

function unlessMissing(error: NodeJS.ErrnoException): PolicyLock {
  if (error.code === 'ENOENT') return { version: 1, policies: {} };
  throw error;
}

function additions(lock: PolicyLock, before: PolicyLock): string[] {
  return Object.entries(lock.policies).flatMap(([policy, forms]) =>
    Object.entries(forms).flatMap(([form, fields]) =>
      fields
        .filter((field) => !before.policies[policy]?.[form]?.includes(field))
        .map((field) => `${policy}: ${form}.${field}`),
    ),
  );
}

/** Prints what a caller sees, or why one field or record is visible or hidden. */
export function explainPolicy(
  options: Options & {
    readonly as: string;
    readonly field?: string | undefined;
    readonly record?: string | undefined;
  },
): Promise<void> {
  const caller = callerOf(options.as);
  return withClient(options, async (opened) => {
    const files = await loadPolicyFiles(pathOf(options, opened));
    // What a caller sees does not depend on the key; how it is written does.
    const key = opened.settings.recordKey ?? new Secret('0'.repeat(64));
    const views = new CallerViews(opened.client, files, '', { pseudonymKey: key });
    const view = await views.viewOf(caller).catch(noRightsUnless(options.as));
    const structure = await loadProjectStructure(opened.client);
    const policy = files.set.policies[view.policy];
    const { field, record } = options;
    if (record !== undefined) {
      const shown = restrict(callsOf(opened.client), view);
      const idName = structure.dictionary.recordIdField?.name ?? '';
      const rows = await shown.exportRecords({ records: [record], fields: [idName] });
      const [seen, is] = rows.length > 0 ? ['visible', 'is'] : ['hidden', 'is not'];
      process.stdout.write(`${record}: ${seen}. It ${is} a record of the view: ${rowsInWords(view.rows)}.\n`);
    } else if (field === undefined || policy === undefined) process.stdout.write(inWords(view));
    else process.stdout.write(`${whyField(field, view, policy, structure, files.lock)}\n`);
  });
}

/** Says that a caller has no rights. Other errors are thrown again. */
export function noRightsUnless(as: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotInPolicyError)) throw error;
    throw new CliError(
      `${as} has no rights: no binding fits, or its group or address is not known.`,
      EXIT_CODES.failed,
    );
  };
}

/** Reads a caller, as `--as` names one. @throws {CliError} it is none */
export function callerOf(as: string): BoundCaller {
  const [, kind, name = ''] = /^(key|session):(.+)$/.exec(as) ?? [];
  if (kind === 'key') return { kind: 'api-key', name: `key:${name}` };
  if (kind === 'session') return { kind: 'session', name: 'session', user: { email: name.toLowerCase() } };
  throw new CliError('--as must be key:NAME or session:ADDRESS.', EXIT_CODES.usage);
}

function inWords(view: ProjectView): string {
  const forms = [...view.forms].map(([form, access]) => `  ${form}: ${access}`);
  return [
    `Policy ${view.policy}. Records: ${rowsInWords(view.rows)}.`,
    ...(view.deidentify === undefined ? [] : deidentificationInWords(view.deidentify)),
    'Instruments:',
    ...forms,
    `${counted(view.fields.size, 'field')}: ${[...view.fields.keys()].join(', ')}`,
    `Events: ${view.events === undefined ? 'all' : [...view.events].join(', ')}. Creating records: ${view.create.kind}. Files: ${view.files}. Reports: ${[...view.reports].join(', ') || 'none'}. Log: ${view.logs}.`,
    ...(view.deciding.size === 0
      ? []
      : [`Decide about the records, and cannot be changed: ${[...view.deciding].join(', ')}.`]),
    '',
  ].join('\n');
}

const IDS_IN_WORDS = {
  kept: 'shown as it is',
  pseudonym: 'a pseudonym',
  random: 'random for each export',
} as const;

function deidentificationInWords({ preset, recordId, rules }: Deidentification): string[] {
  return [
    `De-identification: ${preset}. A record id is ${IDS_IN_WORDS[recordId]}.`,
    ...(rules.size === 0 ? [] : ['Changed values:']),
    ...[...rules].map(([name, { kind }]) => `  ${name}: ${CHANGES_IN_WORDS[kind]}`),
  ];
}

function whyField(
  name: string,
  { fields, policy: of, deidentify }: ProjectView,
  policy: Policy,
  { dictionary }: ProjectStructure,
  { identifying }: PolicyLock,
): string {
  const field = dictionary.field(name);
  if (field === undefined) return `${name} is not a field of the project.`;
  const access = fields.get(name);
  const verdict = verdictsOf(policy, dictionary.fields, identifying?.[of])?.get(name);
  if (verdict?.kind === 'removed')
    return `${name}: hidden. policies.${of}.deidentify removes it: ${verdict.why}.`;
  if (verdict?.kind === 'suspected' && access === undefined)
    return `${name}: hidden. ${verdict.why}. crf policy accept --identifying ${of}.${name} would show it.`;
  if (verdict?.kind === 'suspected')
    return `${name}: ${access}. policy.lock accepts it, although ${verdict.why}.`;
  if (verdict?.kind === 'changed' && access !== undefined) return `${name}: ${access}, but ${verdict.why}.`;
  if (name === dictionary.recordIdField?.name)
    return `${name}: ${access}. The record id is always visible; here it is ${IDS_IN_WORDS[deidentify?.recordId ?? 'kept']}.`;
  if (policy.fields?.read?.some((each) => each === name))
    return `${name}: read. policies.${of}.fields.read names it.`;
  if (policy.fields?.hide?.some((each) => each === name))
    return `${name}: hidden. policies.${of}.fields.hide names it.`;
  if (accessTo(policy, field.instrument) === undefined)
    return `${name}: hidden. policies.${of}.forms does not grant ${field.instrument}.`;
  if (access !== undefined)
    return `${name}: ${access}. policies.${of}.forms grants ${field.instrument}, and policy.lock has the field.`;
  return `${name}: hidden. policy.lock does not have it, or it is calculated from a hidden field.`;
}

/** Returns the policy file of an option, or of the settings. @throws {CliError} there is none */
export function pathOf({ file }: Pick<Options, 'file'>, { settings }: OpenedClient): string {
  const path = file ?? settings.values.POLICY_FILE;
  if (path !== undefined) return path;
  throw new CliError('Name the policy file, or set POLICY_FILE.', EXIT_CODES.usage);
}

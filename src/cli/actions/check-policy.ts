import { callsOf } from '../../client/compose-client.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { NotInPolicyError } from '../../errors/access-errors.js';
import { PolicyInvalidError } from '../../errors/operator-errors.js';
import { fitsAddress } from '../../policy/caller-views.js';
import { compilePolicy, type CompiledPolicy } from '../../policy/compile-view.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import {
  compareCase,
  readPolicyCases,
  recordsIn,
  visibleRecords,
  type PolicyCase,
} from '../../policy/policy-cases.js';
import type { Policy, PolicySet } from '../../policy/policy-file.js';
import { acceptAll, type PolicyLock } from '../../policy/policy-lock.js';
import type { ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../files/read-text-file.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { counted } from '../printing/counted.js';
import { additions, callerOf, pathOf, viewsFor, type PolicyOptions } from './run-policy.js';
import { unneededRights } from './unneeded-rights.js';

/** Prints what does not fit the project, for every policy. @returns 1 if there is something */
export function checkPolicy(options: PolicyOptions): Promise<ExitCode> {
  return withClient(options, async (opened) => {
    const { set, lock } = await loadPolicyFiles(pathOf(options, opened));
    const structure = await loadProjectStructure(opened.client);
    const compiled = Object.entries(set.policies).map(([name, policy]) =>
      compiledOrProblems(name, policy, structure, lock),
    );
    const lines = compiled.flatMap((each) => (Array.isArray(each) ? each : []));
    const granted = {
      policies: compiled.flatMap((each) => (Array.isArray(each) ? [] : [each])),
      bindings: set.bindings,
      dictionary: structure.dictionary,
    };
    const notes = [
      ...neverMatching(set.bindings),
      ...unknownKeys(set.bindings, opened.settings.access.apiKeys),
      ...(await unknownGroups(set, opened.client)),
      ...(lines.length === 0 ? await unneededRights(granted, opened.client) : []),
    ];
    const waiting = additions(acceptAll(set, structure, lock.identifying), lock).length;
    for (const line of [...lines, ...notes]) process.stdout.write(`${line}\n`);
    if (waiting > 0)
      process.stdout.write(`${counted(waiting, 'field')} hidden until crf policy accept shows them.\n`);
    if (lines.length === 0)
      process.stdout.write(`${Object.keys(set.policies).length} policies checked, all fit the project.\n`);
    return lines.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function compiledOrProblems(
  name: string,
  policy: Policy,
  structure: ProjectStructure,
  lock: PolicyLock,
): CompiledPolicy | string[] {
  try {
    return compilePolicy(name, policy, structure, lock);
  } catch (error) {
    if (!(error instanceof PolicyInvalidError)) throw error;
    return error.errors.map(({ field, message }) => `${name}: ${field} ${message}`);
  }
}

/** Names the groups of policies and bindings that the project does not have: whoever is bound to one has no records. */
async function unknownGroups(
  { policies, bindings }: PolicySet,
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

/** Names bindings behind one that fits the same callers, or more. */
function neverMatching(bindings: PolicySet['bindings']): string[] {
  return bindings.flatMap(({ key, session = '' }, index) => {
    const isCovered = bindings
      .slice(0, index)
      .some((one) =>
        key === undefined ? one.session !== undefined && fitsAddress(one.session, session) : one.key === key,
      );
    return isCovered ? [`bindings[${index}] never matches: an earlier one is for the same callers`] : [];
  });
}

/** Names bindings for API keys that API_KEYS does not have. Where the command is not told the keys, it says nothing. */
function unknownKeys(
  bindings: PolicySet['bindings'],
  apiKeys: readonly { readonly name: string }[],
): string[] {
  const known = new Set(apiKeys.map(({ name }) => name));
  return bindings.flatMap(({ key }, index) =>
    key === undefined || known.size === 0 || known.has(key)
      ? []
      : [`bindings[${index}] never matches: API_KEYS has no key of this name`],
  );
}

/**
 * Compares what callers see with what a file expects, and prints each expectation that is not met.
 *
 * @returns 1 if there is one
 */
export function testPolicy(options: PolicyOptions & { readonly cases: string }): Promise<ExitCode> {
  return withClient(options, async (opened) => {
    const cases = readPolicyCases(await readTextFile(options.cases, 'cases'));
    const views = viewsFor(opened, await loadPolicyFiles(pathOf(options, opened)));
    const structure = await loadProjectStructure(opened.client);
    const idName = structure.dictionary.recordIdField?.name ?? '';
    const records = [...new Set(cases.flatMap(recordsIn))];
    const rows = records.length === 0 ? [] : await opened.client.exportRecords({ records, fields: [idName] });
    const existing = new Set(rows.map((row) => String(row[idName])));
    let count = 0;
    let failed = 0;
    for (const [index, each] of cases.entries()) {
      const view = await views.viewOf(callerOf(each.as)).catch(noneWithoutRights);
      const visible = await visibleOf(each, view, existing, structure, opened);
      const compared = compareCase(each, view, { structure, existing, visible });
      const failures = compared.filter(({ failure }) => failure !== undefined);
      count += compared.length;
      failed += failures.length;
      for (const { text, failure } of failures)
        process.stdout.write(`cases[${index}] ${each.as}: ${text}: ${failure}\n`);
    }
    const outcome = failed === 0 ? 'all are met' : `${failed} ${failed === 1 ? 'is' : 'are'} not met`;
    process.stdout.write(
      `${counted(count, 'expectation')} of ${counted(cases.length, 'case')}: ${outcome}.\n`,
    );
    return failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function noneWithoutRights(error: unknown): undefined {
  if (!(error instanceof NotInPolicyError)) throw error;
}

function visibleOf(
  each: PolicyCase,
  view: ProjectView | undefined,
  existing: ReadonlySet<string>,
  structure: ProjectStructure,
  { client }: OpenedClient,
): Promise<Set<string>> {
  if (view === undefined) return Promise.resolve(new Set());
  const named = recordsIn(each).filter((id) => existing.has(id));
  return visibleRecords(restrict(callsOf(client), view), view, structure, named);
}

import { callsOf } from '../../client/compose-client.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import { UpstreamForbiddenError } from '../../domain/errors/upstream-errors.js';
import type { CompiledPolicy } from '../../policy/compile-view.js';
import { isWhole } from '../../policy/groups/records.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import {
  compareCase,
  type PolicyCase,
  readPolicyCases,
  recordsIn,
  visibleRecords,
} from '../../policy/policy-cases.js';
import type { Binding } from '../../policy/policy-file.js';
import { acceptAll, type PolicyLock } from '../../policy/policy-lock.js';
import type { ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { ownRecordNotes, policyFindings } from '../check/policy-findings.js';
import { EXIT_CODES } from '../cli-error.js';
import { subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import type { OpenedClient } from '../open-client.js';
import { callerOf, pathOf, policyFile, viewsFor } from '../options/caller.js';
import { needed } from '../options/option.js';
import { JSON_OPTION } from '../options/shared-options.js';
import { counted, said } from '../printing/table.js';

/** Prints what does not fit the project, for every policy, and what is likely a mistake.*/
export const checkCommand = subcommand({
  usage: 'check [file]',
  describe: 'Check a policy file and its lock against the project',
  args: { file: policyFile, ...JSON_OPTION },
  examples: { '$0 policy check policy.yaml': 'List what is wrong, and bindings that never match' },
  epilogue:
    'Also names data access groups and API keys that do not exist, and rights of the REDCap token that no policy needs. Exit codes: 0 every policy fits the project; 1 one does not; 2 a file cannot be read.',
  reads: async (opened, options, io) => {
    const files = await loadPolicyFiles(pathOf(options, opened));
    const { structure, compiled, problems, notes } = await policyFindings(opened, files, io.env);
    const { policies, bindings } = files.set;
    const fits = problems.length === 0;
    const waiting = additions(acceptAll(files.set, structure, files.lock.identifying), files.lock).length;
    const count = Object.keys(policies).length;
    const all = count === 1 ? '1 policy checked, it fits' : `${count} policies checked, all fit`;
    const granted = { policies: compiled, bindings, dictionary: structure.dictionary };
    const likely = [...notes, ...(fits ? await ownRecordNotes(opened, files, structure) : [])];
    const unneeded = fits ? await unneededRights(granted, opened.client) : [];
    const lines = said(
      ...problems,
      ...likely,
      waiting > 0 && `${counted(waiting, 'field')} hidden until crf policy accept shows them.`,
      fits && `${all} the project.`,
      ...unneeded,
    );
    return {
      data: { ok: fits, problems, notes: [...likely, ...unneeded], waiting },
      text: lines.join('\n'),
      exitCode: fits ? EXIT_CODES.ok : EXIT_CODES.failed,
    };
  },
});

/** Returns what a lock shows and the one before did not. */
export function additions(lock: PolicyLock, before: PolicyLock): string[] {
  return Object.entries(lock.policies).flatMap(([policy, forms]) =>
    Object.entries(forms).flatMap(([form, fields]) =>
      fields
        .filter((field) => !before.policies[policy]?.[form]?.includes(field))
        .map((field) => `${policy}: ${form}.${field}`),
    ),
  );
}

export const testCommand = subcommand({
  usage: 'test <cases>',
  describe: 'Compare what callers see with what a file of cases expects',
  args: {
    cases: needed('The file of cases (YAML); - reads standard input'),
    policy: { ...policyFile, requiresArg: true },
    ...JSON_OPTION,
  },
  examples: { '$0 policy test cases.yaml --policy policy.yaml': 'Which expectations are not met' },
  epilogue:
    'Exit codes: 0 every expectation is met; 1 one is not, or a policy does not fit the project; 2 a file cannot be read.',
  reads: async (opened, options, io) => {
    const cases = readPolicyCases(await readTextFile(options.cases, io, 'cases'));
    const views = viewsFor(opened, await loadPolicyFiles(pathOf({ file: options.policy }, opened)));
    const structure = await loadProjectStructure(opened.client);
    const idName = structure.dictionary.recordIdField?.name ?? '';
    const records = [...new Set(cases.flatMap(recordsIn))];
    const rows = records.length === 0 ? [] : await opened.client.exportRecords({ records, fields: [idName] });
    const existing = new Set(rows.map((row) => String(row[idName])));
    let expectations = 0;
    const failed: { case: number; as: string; expected: string; failure: string }[] = [];
    for (const [index, each] of cases.entries()) {
      const view = await views.viewOf(callerOf(each.as)).catch(noneWithoutRights);
      const visible = await visibleOf(each, view, existing, structure, opened);
      const compared = compareCase(each, view, { structure, existing, visible });
      expectations += compared.length;
      for (const { text, failure } of compared)
        if (failure !== undefined) failed.push({ case: index, as: each.as, expected: text, failure });
    }
    const [ok, count] = [failed.length === 0, failed.length];
    const outcome = ok ? 'all are met' : `${count} ${count === 1 ? 'is' : 'are'} not met`;
    const lines = failed.map((each) => `cases[${each.case}] ${each.as}: ${each.expected}: ${each.failure}`);
    return {
      data: { ok, cases: cases.length, expectations, failed },
      text: [
        ...lines,
        `${counted(expectations, 'expectation')} of ${counted(cases.length, 'case')}: ${outcome}.`,
      ].join('\n'),
      exitCode: ok ? EXIT_CODES.ok : EXIT_CODES.failed,
    };
  },
});

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

/** What callers may do: policies that fit the project, and who has them. */
interface Granted {
  readonly policies: readonly CompiledPolicy[];
  readonly bindings: readonly Binding[];
  readonly dictionary: DataDictionary;
}

/** A right that opens something to the token of its user: its name in the API and on REDCap's page of rights. */
interface TokenRight {
  readonly name: string;
  readonly title: string;
  /** A right that is needed in doubt is not said to be too much. */
  readonly isNeeded: (granted: Granted) => boolean;
}

const never = () => false;

const RIGHTS: readonly TokenRight[] = [
  {
    name: 'logging',
    title: 'Logging',
    isNeeded: ({ policies }) => policies.some(({ log }) => log === 'read'),
  },
  {
    name: 'user_rights',
    title: 'User Rights',
    isNeeded: ({ bindings }) =>
      bindings.some(({ mirror, dag }) => mirror !== undefined || dag === '$user.dag'),
  },
  { name: 'file_repository', title: 'File Repository', isNeeded: never },
  { name: 'design', title: 'Project Design and Setup', isNeeded: never },
  // Records are put into a group without it. @see docs/protocol/redcap.md 5.2 (doc)
  { name: 'data_access_groups', title: 'Data Access Groups', isNeeded: never },
  { name: 'api_import', title: 'API Import/Update', isNeeded: (granted) => changes(granted, mayWrite) },
  {
    name: 'manage_survey_participants',
    title: 'Survey Distribution Tools',
    isNeeded: (granted) => changes(granted, mayWrite),
  },
  { name: 'record_create', title: 'Create Records', isNeeded: ({ policies }) => policies.some(mayCreate) },
  {
    name: 'record_rename',
    title: 'Rename Records',
    isNeeded: ({ policies, dictionary }) =>
      policies.some((policy) => policy.create.kind === 'prefix' && isWhole(policy, dictionary)),
  },
  {
    name: 'record_delete',
    title: 'Delete Records',
    isNeeded: (granted) => changes(granted, (policy) => isWhole(policy, granted.dictionary)),
  },
  {
    name: 'random_perform',
    title: 'Randomize',
    isNeeded: (granted) => changes(granted, (policy) => isWhole(policy, granted.dictionary)),
  },
];

/** Whether a policy lets a caller do something, or a binding what REDCap lets its user do. */
function changes({ policies, bindings }: Granted, may: (policy: CompiledPolicy) => boolean): boolean {
  return policies.some(may) || bindings.some(({ mirror }) => mirror !== undefined);
}

function mayCreate({ create }: CompiledPolicy): boolean {
  return create.kind !== 'none';
}

function mayWrite(policy: CompiledPolicy): boolean {
  return mayCreate(policy) || policy.files === 'write' || [...policy.forms.values()].includes('write');
}

/** Names the rights that the user of the token has in REDCap, and that neither a policy nor a binding needs. */
async function unneededRights(granted: Granted, client: OpenedClient['client']): Promise<string[]> {
  const { names, unknown } = await rightsOfToken(client);
  return [
    ...RIGHTS.filter(({ name, isNeeded }) => names.has(name) && !isNeeded(granted)).map(
      ({ title }) => `No policy needs the right ${title}, which the user of the REDCap token has.`,
    ),
    ...(unknown === undefined ? [] : [unknown]),
  ];
}

/**
 * Finds out what the user of the token may do. Some rights are tried, with calls that change nothing and read no record;
 * the others are in the list of users. REDCap does not say whose token it is: the list is narrowed to those who have of
 * what was tried exactly what the token has, and what all of these have counts.
 *
 * @returns rights by their names in the API, and a sentence on those that remain unknown
 */
async function rightsOfToken({ log, fileRepository, users }: OpenedClient['client']) {
  const listed = await ifPermitted(() => users.list());
  const tried = new Map([
    ['logging', (await ifPermitted(() => log.list({ from: '9999-12-31 00:00' }))) !== undefined],
    ['file_repository', (await ifPermitted(() => fileRepository.list())) !== undefined],
    ['user_rights', listed !== undefined],
    ['api_export', true],
  ]);
  const candidates = (listed ?? []).filter(({ rights }) =>
    [...tried].every(([name, isPermitted]) => (rights[name] ?? 0) > 0 === isPermitted),
  );
  const names = RIGHTS.map(({ name }) => name);
  const common = names.filter(
    (name) => candidates.length > 0 && candidates.every(({ rights }) => (rights[name] ?? 0) > 0),
  );
  return {
    names: new Set([...common, ...names.filter((name) => tried.get(name) === true)]),
    unknown: whatIsUnknown(candidates.length, listed !== undefined),
  };
}

function whatIsUnknown(candidates: number, isListed: boolean): string | undefined {
  if (!isListed)
    return 'Rights to change data and design are not known: REDCap lists them for a user with User Rights only.';
  if (candidates === 0)
    return 'Rights to change data and design are not known: the list of users has nobody with the rights of the token.';
  return candidates === 1
    ? undefined
    : `REDCap does not say which of ${candidates} users the token is of: what not all of them have is not listed.`;
}

/** Makes a call. @returns undefined if the user of the token lacks the right */
async function ifPermitted<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UpstreamForbiddenError) return undefined;
    throw error;
  }
}

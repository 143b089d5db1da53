import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { UpstreamForbiddenError } from '../../domain/errors/upstream-errors.js';
import type { CompiledPolicy } from '../../policy/compile-view.js';
import { isWhole } from '../../policy/groups/records.js';
import type { Binding } from '../../policy/policy-file.js';
import type { OpenedClient } from '../open-client.js';

/** What callers may do: policies that fit the project, and who has them. */
export interface Granted {
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
    isNeeded: ({ policies }) => policies.some(({ logs }) => logs === 'read'),
  },
  {
    name: 'user_rights',
    title: 'User Rights',
    isNeeded: ({ bindings }) =>
      bindings.some(({ mirror, group }) => mirror !== undefined || group === '$user.group'),
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
export async function unneededRights(granted: Granted, client: OpenedClient['client']): Promise<string[]> {
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
async function rightsOfToken({ logs, fileRepository, users }: OpenedClient['client']) {
  const listed = await ifPermitted(() => users.export());
  const tried = new Map([
    ['logging', (await ifPermitted(() => logs.export({ from: '9999-12-31 00:00' }))) !== undefined],
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

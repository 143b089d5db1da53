import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { NameKind } from '../../domain/errors/sentences.js';
import { ruledOut } from '../../domain/identifiers/nearest-name.js';
import type {
  Arm,
  CallOptions,
  CrfCalls,
  DataAccessGroupAssignment,
  DataAccessGroupChange,
  InstrumentEventMapping,
  ProjectEventChange,
  RepeatingInstrument,
  ReplaceOptions,
  RightsChange,
  UserRightsChange,
  UserRoleAssignment,
  UserRoleChange,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';

/** The role of a user, with its label, by which another project knows it. */
export interface LabelledRoleAssignment extends UserRoleAssignment {
  /** The label of the role; empty for none. */
  readonly roleLabel?: string | undefined;
}

/** The lists of a project that can be put, and what an entry of each is. */
export interface DesignLists {
  arms: Arm;
  events: OrUndefined<ProjectEventChange>;
  mappings: InstrumentEventMapping;
  repeating: RepeatingInstrument;
  dags: OrUndefined<DataAccessGroupChange>;
  'dag-assignments': DataAccessGroupAssignment;
  users: OrUndefined<UserRightsChange>;
  roles: OrUndefined<UserRoleChange>;
  'role-assignments': LabelledRoleAssignment;
}

/** A name in an entry: what has it, the property that has it, and the name. */
export type NameInEntry = readonly [kind: NameKind, property: string, name: string];

/** How a list is read and put, and what its entries name. */
export interface DesignList<Entry> {
  /** The list in a body, which problems begin with. */
  readonly body: string;
  readonly read: (calls: CrfCalls, call: CallOptions) => Promise<readonly Entry[]>;
  readonly put: (calls: CrfCalls, entries: readonly Entry[], options: ReplaceOptions) => Promise<number>;
  /** Gives the entries the unique names by which REDCap knows them, so that the call can be repeated. */
  readonly recognise?: (
    calls: CrfCalls,
    entries: readonly Entry[],
    call: CallOptions,
  ) => Promise<readonly Entry[]>;
  /** What tells the entries apart; empty for a new one. */
  readonly nameOf: (entry: Entry) => string;
  /** Names that the project must have. */
  readonly namesIn?: (entry: Entry) => readonly NameInEntry[];
  /** Whether a put deletes entries that are not sent: always, or where it is asked for. */
  readonly replaces?: 'always' | 'on request';
}

const formsOf = ({ forms = {}, formsExport = {} }: OrUndefined<RightsChange>): NameInEntry[] => [
  ...Object.keys(forms).map((name) => ['instrument', 'forms', name] as const),
  ...Object.keys(formsExport).map((name) => ['instrument', 'formsExport', name] as const),
];

/** A name that may be left out, or be empty for none. */
const unlessBlank = (kind: NameKind, property: string, name = ''): NameInEntry[] =>
  name === '' ? [] : [[kind, property, name]];

export const DESIGN_LISTS: { readonly [List in keyof DesignLists]: DesignList<DesignLists[List]> } = {
  arms: {
    body: 'arms',
    read: (calls, call) => calls.arms.list(call),
    put: (calls, arms, options) => calls.arms.put(arms, options),
    nameOf: ({ number }) => String(number),
    replaces: 'on request',
  },
  events: {
    body: 'events',
    read: (calls, call) => calls.events.list(call),
    put: (calls, events, options) => calls.events.put(events, options),
    recognise: async (calls, events, call) =>
      withKnownNames(events, await calls.events.list(call), {
        list: 'events',
        labelOf: ({ arm, label }) => JSON.stringify([arm, label]),
      }),
    nameOf: ({ uniqueName = '' }) => uniqueName,
    namesIn: ({ arm }) => [['arm', 'arm', String(arm)]],
    replaces: 'on request',
  },
  mappings: {
    body: 'mappings',
    read: (calls, call) => calls.mappings.list(call),
    put: (calls, mappings, call) => calls.mappings.put(mappings, call),
    nameOf: ({ event, instrument }) => `${event}: ${instrument}`,
    namesIn: ({ event, instrument }) => [
      ['event', 'event', event],
      ['instrument', 'instrument', instrument],
    ],
    replaces: 'always',
  },
  repeating: {
    body: 'repeating',
    read: (calls, call) => calls.repeating.list(call),
    put: (calls, repeating, call) => calls.repeating.put(repeating, call),
    nameOf: ({ event, instrument }) => [event, instrument].filter((name) => name !== '').join(': '),
    namesIn: ({ event, instrument }) => [
      ['event', 'event', event],
      // Without one, the whole event repeats.
      ...(instrument === '' && event !== '' ? [] : [['instrument', 'instrument', instrument] as const]),
    ],
    replaces: 'always',
  },
  dags: {
    body: 'dags',
    read: (calls, call) => calls.dags.list(call),
    put: (calls, dags, call) => calls.dags.put(dags, call),
    recognise: async (calls, dags, call) =>
      withKnownNames(dags, await calls.dags.list(call), { list: 'dags', labelOf: ({ name }) => name }),
    nameOf: ({ uniqueName = '' }) => uniqueName,
  },
  'dag-assignments': {
    body: 'assignments',
    read: (calls, call) => calls.dagAssignments.list(call),
    put: (calls, assignments, call) => calls.dagAssignments.put(assignments, call),
    nameOf: ({ username }) => username,
    namesIn: ({ username, dag }) => [['user', 'username', username], ...unlessBlank('dag', 'dag', dag)],
  },
  users: {
    body: 'users',
    read: (calls, call) => calls.users.list(call),
    put: (calls, users, call) => calls.users.put(users, call),
    nameOf: ({ username }) => username,
    namesIn: (user) => [...unlessBlank('dag', 'dag', user.dag), ...formsOf(user)],
  },
  roles: {
    body: 'roles',
    read: (calls, call) => calls.roles.list(call),
    put: (calls, roles, call) => calls.roles.put(roles, call),
    recognise: async (calls, roles, call) =>
      withKnownNames(roles, await calls.roles.list(call), { list: 'roles', labelOf: ({ label }) => label }),
    nameOf: ({ uniqueName = '' }) => uniqueName,
    namesIn: formsOf,
  },
  'role-assignments': {
    body: 'assignments',
    read: (calls, call) => calls.roleAssignments.list(call),
    put: (calls, assignments, call) =>
      calls.roleAssignments.put(
        assignments.map(({ username, role }) => ({ username, role })),
        call,
      ),
    recognise: withKnownRoles,
    nameOf: ({ username }) => username,
    namesIn: ({ username, role }) => [['user', 'username', username], ...unlessBlank('role', 'role', role)],
  },
};

/** Returns the names of what a list has. */
export async function namesIn<List extends keyof DesignLists>(
  list: List,
  calls: CrfCalls,
  call: CallOptions,
): Promise<string[]> {
  const { read, nameOf } = DESIGN_LISTS[list];
  return (await read(calls, call)).map(nameOf);
}

/** Returns the label of each role by its unique name. */
export async function roleLabels(calls: CrfCalls, call?: CallOptions): Promise<Map<string, string>> {
  const roles = await calls.roles.list(call);
  return new Map(roles.map(({ uniqueName, label }) => [uniqueName, label]));
}

/**
 * Finds by their labels the roles that this project does not have, which are those of another project.
 *
 * @throws {InvalidRequestError} no role of this project has the label, or several have it
 */
async function withKnownRoles(
  calls: CrfCalls,
  assignments: readonly LabelledRoleAssignment[],
  call: CallOptions,
): Promise<readonly LabelledRoleAssignment[]> {
  if (!assignments.some(({ roleLabel }) => roleLabel)) return assignments;
  const labels = await roleLabels(calls, call);
  const problems: FieldProblem[] = [];
  const known = assignments.map((assignment, index) => {
    const { role, roleLabel = '' } = assignment;
    if (roleLabel === '' || labels.has(role)) return assignment;
    const [match, other] = [...labels].filter(([, label]) => label === roleLabel);
    if (match === undefined || other !== undefined)
      problems.push(
        ruledOut(
          `assignments[${index}].role`,
          role,
          `is not a role of this project, and ${match === undefined ? 'no role has' : 'several have'} its label`,
        ),
      );
    return { ...assignment, role: match?.[0] ?? role };
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return known;
}

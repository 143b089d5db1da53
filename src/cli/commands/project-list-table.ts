import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { isObject } from '../../domain/identifiers/check-options.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { DesignService } from '../../services/design/design-service.js';
import type { Column } from '../printing/table.js';

/** An entry of a list, as shown to the user. */
type Row = Readonly<Record<string, unknown>>;

interface PutOptions {
  /** `--replace`: delete entries that are not sent. */
  readonly isReplacement: boolean;
}

/** The operations on one list of the project, such as its arms, which `project-list-action.ts` runs. */
export interface ListOperations {
  /** The properties in a table; `--json` prints all. */
  readonly columns: readonly string[];
  readonly list: (client: CrfClient) => Promise<readonly object[]>;
  /** The properties allowed in a file. Those to ignore are printed by `--json`, and not sent. */
  readonly properties?: {
    readonly required: readonly string[];
    readonly optional?: readonly string[];
    readonly ignored?: readonly string[];
  };
  readonly put?: (client: CrfClient, rows: readonly Row[], options: PutOptions) => Promise<number>;
  readonly delete?: (client: CrfClient, names: readonly string[]) => Promise<number>;
}

const design = (client: CrfClient): DesignService => new DesignService(client);

/** The lists by command name. */
export const PROJECT_LISTS = {
  arms: {
    columns: ['number', 'name'],
    properties: { required: ['number', 'name'] },
    list: (client) => client.arms.export(),
    put: (client, rows, options) =>
      design(client).putArms(checkedByClient(rows), { ...options, mayDelete: true }),
    delete: (client, names) => client.arms.delete(names.map(toNumber)),
  },
  events: {
    columns: ['uniqueName', 'label', 'armNumber', 'customLabel'],
    properties: {
      required: ['label', 'armNumber'],
      optional: ['uniqueName', 'customLabel', 'dayOffset', 'offsetMin', 'offsetMax'],
    },
    list: (client) => client.events.export(),
    put: (client, rows, options) =>
      design(client).putEvents(checkedByClient(rows), { ...options, mayDelete: true }),
    delete: (client, names) => client.events.delete(names),
  },
  mappings: {
    columns: ['armNumber', 'uniqueEventName', 'instrument'],
    properties: { required: ['armNumber', 'uniqueEventName', 'instrument'] },
    list: (client) => client.instruments.exportEventMappings(),
    put: (client, rows) => client.instruments.importEventMappings(checkedByClient(rows)),
  },
  repeating: {
    columns: ['uniqueEventName', 'instrument', 'customLabel'],
    properties: { required: ['uniqueEventName', 'instrument', 'customLabel'] },
    list: (client) => client.instruments.exportRepeating(),
    put: (client, rows) => client.instruments.importRepeating(checkedByClient(rows)),
  },
  dags: {
    columns: ['uniqueName', 'name', 'id'],
    properties: { required: ['name'], optional: ['uniqueName'], ignored: ['id'] },
    list: (client) => client.dags.export(),
    put: (client, rows) => design(client).putDags(checkedByClient(rows)),
    delete: (client, names) => client.dags.delete(names),
  },
  'dag-assignments': {
    columns: ['username', 'group'],
    properties: { required: ['username', 'group'] },
    list: (client) => client.dags.exportAssignments(),
    put: (client, rows) => client.dags.importAssignments(checkedByClient(rows)),
  },
  users: {
    columns: ['username', 'email', 'firstName', 'lastName', 'dataAccessGroup', 'expiration'],
    properties: {
      required: ['username'],
      optional: ['expiration', 'dataAccessGroup', 'rights', 'forms', 'formsExport'],
      ignored: ['email', 'firstName', 'lastName', 'dataAccessGroupId'],
    },
    list: (client) => client.users.export(),
    put: (client, rows) => client.users.import(checkedByClient(rows)),
    delete: (client, names) => client.users.delete(names),
  },
  roles: {
    columns: ['uniqueName', 'label'],
    properties: { required: ['label'], optional: ['uniqueName', 'rights', 'forms', 'formsExport'] },
    list: (client) => client.roles.export(),
    put: (client, rows) => design(client).putRoles(checkedByClient(rows)),
    delete: (client, names) => client.roles.delete(names),
  },
  'role-assignments': {
    columns: ['username', 'role', 'roleLabel'],
    properties: { required: ['username', 'role'], optional: ['roleLabel'] },
    list: (client) => design(client).roleAssignments(),
    put: (client, rows) => design(client).putRoleAssignments(checkedByClient(rows)),
  },
  'export-columns': {
    columns: ['exportColumn', 'fieldName', 'choiceCode'],
    list: (client) => client.dictionary.exportFieldNames(),
  },
  validations: {
    columns: ['name', 'pattern'],
    list: (client) => client.dictionary.exportValidations(),
  },
} satisfies Readonly<Record<string, ListOperations>>;

/** Gives rows the type of an entry: `entriesOf` has checked the names, and the client checks the values. */
function checkedByClient<Entry extends object>(rows: readonly Row[]): readonly Entry[] {
  return rows as readonly Entry[];
}

/** Returns the columns of a table. Nested rights are only in `--json`. */
export function columnsOf({ columns }: ListOperations): readonly Column<Row>[] {
  return columns.map((title) => ({ title, cell: (row) => textOf(row[title]) }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * Parses the entries of a file in the format of `--json`.
 *
 * @throws {InvalidRequestError} not a list of objects, or a property is missing or unknown; names the property, never a
 * value
 */
export function entriesOf(text: string, { properties }: ListOperations): Row[] {
  const entries = parseList(text);
  const { required = [], optional = [], ignored = [] } = properties ?? {};
  const allowed = [...required, ...optional, ...ignored];
  const problems = entries.flatMap((entry, index) => [
    ...required
      .filter((name) => entry[name] === undefined)
      .map((name) => ({ field: `[${index}].${name}`, message: 'is needed' })),
    ...(Object.keys(entry).every((name) => allowed.includes(name))
      ? []
      : [{ field: `[${index}]`, message: `may have ${allowed.join(', ')} only` }]),
  ]);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => !ignored.includes(name))),
  );
}

function parseList(text: string): Row[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every(isObject)) return value;
  } catch {
    // Refused like any other text that is not a list.
  }
  throw new InvalidRequestError([
    { field: 'file', message: 'must hold a JSON list of objects, as --json prints it' },
  ]);
}

function toNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidRequestError([{ field: 'number', message: 'must be the number of an arm' }]);
}

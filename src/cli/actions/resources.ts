import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { DesignService } from '../../services/design/design-service.js';
import type { ResourceName } from './resource-commands.js';
import type { Column } from '../printing/table.js';

/** An entry of a list, as shown to the user. */
type Row = Readonly<Record<string, unknown>>;

interface PutOptions {
  /** `--replace`: delete entries that are not sent. */
  readonly isReplacement: boolean;
}

/** The operations on one list of the project, such as its arms, which `run-resource.ts` runs. */
export interface Resource {
  /** The properties in a table; `--json` prints all. */
  readonly columns: readonly string[];
  readonly list: (client: CrfClient) => Promise<readonly object[]>;
  /** `entriesOf` has checked the names of the properties; the client checks their values, whatever they are. */
  readonly put?: (client: CrfClient, rows: readonly never[], options: PutOptions) => Promise<number>;
  readonly delete?: (client: CrfClient, names: readonly string[]) => Promise<number>;
  /**
   * The properties allowed in a file. Those ending in `!` are required, and those in parentheses are accepted but not
   * sent.
   */
  readonly properties?: readonly string[];
}

const design = (client: CrfClient): DesignService => new DesignService(client);

/** The lists by command name. */
export const RESOURCES: Readonly<Record<ResourceName, Resource>> = {
  arms: {
    columns: ['number', 'name'],
    properties: ['number!', 'name!'],
    list: (client) => client.arms.export(),
    put: (client, rows, options) => design(client).putArms(rows, { ...options, mayDelete: true }),
    delete: (client, names) => client.arms.delete(names.map(toNumber)),
  },
  events: {
    columns: ['uniqueName', 'label', 'armNumber', 'customLabel'],
    properties: ['label!', 'armNumber!', 'uniqueName', 'customLabel', 'dayOffset', 'offsetMin', 'offsetMax'],
    list: (client) => client.events.export(),
    put: (client, rows, options) => design(client).putEvents(rows, { ...options, mayDelete: true }),
    delete: (client, names) => client.events.delete(names),
  },
  mappings: {
    columns: ['armNumber', 'uniqueEventName', 'instrument'],
    properties: ['armNumber!', 'uniqueEventName!', 'instrument!'],
    list: (client) => client.instruments.exportEventMappings(),
    put: (client, rows) => client.instruments.importEventMappings(rows),
  },
  repeating: {
    columns: ['uniqueEventName', 'instrument', 'customLabel'],
    properties: ['uniqueEventName!', 'instrument!', 'customLabel!'],
    list: (client) => client.instruments.exportRepeating(),
    put: (client, rows) => client.instruments.importRepeating(rows),
  },
  dags: {
    columns: ['uniqueName', 'name', 'id'],
    properties: ['name!', 'uniqueName', '(id)'],
    list: (client) => client.dags.export(),
    put: (client, rows) => design(client).putDags(rows),
    delete: (client, names) => client.dags.delete(names),
  },
  'dag-assignments': {
    columns: ['username', 'group'],
    properties: ['username!', 'group!'],
    list: (client) => client.dags.exportAssignments(),
    put: (client, rows) => client.dags.importAssignments(rows),
  },
  users: {
    columns: ['username', 'email', 'firstName', 'lastName', 'dataAccessGroup', 'expiration'],
    properties: [
      ...['username!', 'expiration', 'dataAccessGroup', 'rights', 'forms', 'formsExport'],
      ...['(email)', '(firstName)', '(lastName)', '(dataAccessGroupId)'],
    ],
    list: async (client) =>
      (await client.users.export()).map(({ id, ...user }) => ({ username: id, ...user })),
    put: (client, rows) => client.users.import(rows),
    delete: (client, names) => client.users.delete(names),
  },
  roles: {
    columns: ['uniqueName', 'label'],
    properties: ['label!', 'uniqueName', 'rights', 'forms', 'formsExport'],
    list: (client) => client.roles.export(),
    put: (client, rows) => design(client).putRoles(rows),
    delete: (client, names) => client.roles.delete(names),
  },
  'role-assignments': {
    columns: ['username', 'role'],
    properties: ['username!', 'role!'],
    list: (client) => client.roles.exportAssignments(),
    put: (client, rows) => client.roles.importAssignments(rows),
  },
  'export-columns': {
    columns: ['exportColumn', 'fieldName', 'choiceCode'],
    list: (client) => client.dictionary.exportFieldNames(),
  },
  validations: {
    columns: ['name', 'pattern'],
    list: (client) => client.dictionary.exportValidations(),
  },
};

/** Returns the columns of a table. Nested rights are only in `--json`. */
export function columnsOf({ columns }: Resource): readonly Column<Row>[] {
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
export function entriesOf(text: string, { properties = [] }: Resource): Row[] {
  const entries = parseList(text);
  const plain = properties.map((name) => name.replace(/[!()]/g, ''));
  const needed = properties.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const ignored = new Set(properties.filter((name) => name.startsWith('(')).map((name) => name.slice(1, -1)));
  const problems = entries.flatMap((entry, index) => [
    ...needed
      .filter((name) => entry[name] === undefined)
      .map((name) => ({ field: `[${index}].${name}`, message: 'is needed' })),
    ...(Object.keys(entry).every((name) => plain.includes(name))
      ? []
      : [{ field: `[${index}]`, message: `may have ${plain.join(', ')} only` }]),
  ]);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => !ignored.has(name))),
  );
}

function parseList(text: string): Row[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return value;
  } catch {
    // Refused like any other text that is not a list.
  }
  throw new InvalidRequestError([
    { field: 'file', message: 'must hold a JSON list of objects, as --json prints it; not an empty one' },
  ]);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidRequestError([{ field: 'number', message: 'must be the number of an arm' }]);
}

import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { isObject } from '../domain/identifiers/check-options.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { WireParameters } from '../gateways/redcap/wire-parameters.js';
import type { ChangeOutcome } from '../services/design/change-preview.js';
import type { DesignLists } from '../services/design/design-lists.js';
import { type DeletableList, DesignService } from '../services/design/design-service.js';
import { type Column, columns } from './conformance/row-shape.js';
import { parseJson } from './files/read-files.js';

export type Row = Readonly<Record<string, unknown>>;

/** Selects entries of a list; all by default. */
export interface ListSelection {
  readonly arms?: readonly number[] | undefined;
  readonly field?: string | undefined;
}

/** One list of the project, such as its arms: what its commands say and do, and what REDCap answers. */
export interface ProjectList {
  /** The method of the client that reads it, the content of REDCap's API, and its section in docs/protocol/redcap.md. */
  readonly source: readonly [method: string, content: string, section: string];
  readonly parameters?: WireParameters;
  /** The columns that REDCap documents. Those with a question mark exist only in some versions or projects. */
  readonly wire: readonly Column[];
  /** The properties in a table; `--json` prints all. */
  readonly columns: readonly string[];
  readonly list: (client: CrfClient, selection?: ListSelection) => Promise<readonly object[]>;
  /** The option that selects entries. */
  readonly selectedBy?: keyof ListSelection;
  /** The properties allowed in a file. Those to ignore are printed by `--json`, and not sent. */
  readonly properties?: {
    readonly required: readonly string[];
    readonly optional?: readonly string[];
    readonly ignored?: readonly string[];
  };
  /** What `put` does, for help and confirmation, and when it deletes entries that are not in the file. */
  readonly puts?: { readonly does: string; readonly replaces?: 'always' | 'on request' };
  /** The argument of `delete`, and what it does, for help and confirmation. */
  readonly deletes?: { readonly argument: string; readonly does: string };
}

const RIGHTS = [
  ...['design', 'alerts?', 'user_rights', 'data_access_groups', 'reports', 'stats_and_charts'],
  ...['manage_survey_participants', 'calendar', 'data_import_tool', 'data_comparison_tool', 'logging'],
  ...['email_logging?', 'file_repository', 'data_quality_create', 'data_quality_execute'],
  ...['data_quality_resolution?', 'api_export', 'api_import', 'api_modules?', 'mobile_app'],
  ...['mobile_app_download_data', 'record_create', 'record_rename', 'record_delete'],
  ...['lock_records_all_forms', 'lock_records', 'lock_records_customization', 'mycap_participants?'],
  ...['random_setup?', 'random_dashboard?', 'random_perform?'],
];

/** The lists by the name of their command. */
export const PROJECT_LISTS = {
  arms: {
    source: ['arms.list', 'arm', '9.1'],
    wire: [...columns('number', 'arm_num'), ...columns('text', 'name')],
    columns: ['number', 'name'],
    list: (client, selection?) => client.arms.list(selection),
    selectedBy: 'arms',
    properties: { required: ['number', 'name'] },
    puts: { does: 'add or rename arms', replaces: 'on request' },
    deletes: {
      argument: 'arm',
      does: 'delete arms with their events and everything that is stored there',
    },
  },
  events: {
    source: ['events.list', 'event', '9.2'],
    wire: [
      ...columns('text', 'event_name'),
      ...columns('number', 'arm_num'),
      ...columns('any', 'day_offset?', 'offset_min?', 'offset_max?'),
      ...columns('text', 'unique_event_name'),
      ...columns('any', 'custom_event_label'),
      ...columns('number', 'event_id'),
    ],
    columns: ['uniqueName', 'label', 'arm', 'customLabel'],
    list: (client, selection?) => client.events.list(selection),
    selectedBy: 'arms',
    properties: {
      required: ['label', 'arm'],
      optional: ['uniqueName', 'customLabel', 'dayOffset', 'offsetMin', 'offsetMax'],
      ignored: ['id'],
    },
    puts: { does: 'add or change events', replaces: 'on request' },
    deletes: { argument: 'event', does: 'delete events with everything that is stored there' },
  },
  mappings: {
    source: ['mappings.list', 'formEventMapping', '9.3'],
    wire: [...columns('number', 'arm_num'), ...columns('text', 'unique_event_name', 'form')],
    columns: ['arm', 'event', 'instrument'],
    list: (client, selection?) => client.mappings.list(selection),
    selectedBy: 'arms',
    properties: { required: ['arm', 'event', 'instrument'] },
    puts: { does: 'replace all instrument-event mappings', replaces: 'always' },
  },
  repeating: {
    source: ['repeating.list', 'repeatingFormsEvents', '9.4'],
    wire: columns('any', 'event_name?', 'form_name', 'custom_form_label'),
    columns: ['event', 'instrument', 'customLabel'],
    list: (client) => client.repeating.list(),
    properties: { required: ['event', 'instrument', 'customLabel'] },
    puts: { does: 'replace everything that repeats', replaces: 'always' },
  },
  dags: {
    source: ['dags.list', 'dag', '10.1'],
    wire: [
      ...columns('text', 'data_access_group_name', 'unique_group_name'),
      ...columns('number', 'data_access_group_id?'),
    ],
    columns: ['uniqueName', 'name', 'id'],
    list: (client) => client.dags.list(),
    properties: { required: ['name'], optional: ['uniqueName'], ignored: ['id'] },
    puts: { does: 'make or rename data access groups' },
    deletes: { argument: 'dag', does: 'delete data access groups; their records then belong to none' },
  },
  'dag-assignments': {
    source: ['dagAssignments.list', 'userDagMapping', '10.2'],
    wire: columns('text', 'username', 'redcap_data_access_group'),
    columns: ['username', 'dag'],
    list: (client) => client.dagAssignments.list(),
    properties: { required: ['username', 'dag'] },
    puts: { does: 'put users into data access groups' },
  },
  users: {
    source: ['users.list', 'user', '10.3'],
    wire: [
      ...columns('text', 'username', 'email', 'firstname', 'lastname', 'expiration', 'data_access_group'),
      ...columns('number or blank', 'data_access_group_id'),
      ...columns('any', 'data_access_group_label?'),
      ...columns('number', ...RIGHTS),
      ...columns('object', 'forms', 'forms_export'),
    ],
    columns: ['username', 'email', 'firstName', 'lastName', 'dag', 'expiration'],
    list: (client) => client.users.list(),
    properties: {
      required: ['username'],
      optional: ['expiration', 'dag', 'rights', 'forms', 'formsExport'],
      ignored: ['email', 'firstName', 'lastName', 'dagId'],
    },
    puts: { does: 'add users or change their rights' },
    deletes: { argument: 'username', does: 'take users out of the project' },
  },
  roles: {
    source: ['roles.list', 'userRole', '10.4'],
    wire: [
      ...columns('text', 'unique_role_name', 'role_label', ...RIGHTS),
      ...columns('object', 'forms', 'forms_export'),
    ],
    columns: ['uniqueName', 'label'],
    list: (client) => client.roles.list(),
    properties: { required: ['label'], optional: ['uniqueName', 'rights', 'forms', 'formsExport'] },
    puts: { does: 'make or change roles' },
    deletes: { argument: 'role', does: 'delete roles; their users then have none' },
  },
  'role-assignments': {
    source: ['roleAssignments.list', 'userRoleMapping', '10.5'],
    wire: [...columns('text', 'username', 'unique_role_name'), ...columns('any', 'data_access_group?')],
    columns: ['username', 'role', 'roleLabel'],
    list: (client) => new DesignService(client).roleAssignments(),
    properties: { required: ['username', 'role'], optional: ['roleLabel'] },
    puts: { does: 'give users their roles' },
  },
  'export-field-names': {
    source: ['exportFieldNames.list', 'exportFieldNames', '8.6'],
    wire: columns('text', 'original_field_name', 'choice_value', 'export_field_name'),
    columns: ['field', 'code', 'column'],
    list: (client, selection?) => client.exportFieldNames.list(selection),
    selectedBy: 'field',
  },
  'field-validations': {
    source: ['fieldValidations.list', 'fieldValidation', '8.5'],
    parameters: { action: 'export' },
    wire: columns('text', 'validation_type', 'regex'),
    columns: ['name', 'pattern'],
    list: (client) => client.fieldValidations.list(),
  },
} satisfies Readonly<Record<string, ProjectList>>;

export type ListName = keyof typeof PROJECT_LISTS;

/** How a list is put: with `--replace`, entries that are not sent are deleted; with `--dry-run`, nothing is sent. */
interface PutOptions {
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

/** Puts entries that `entriesOf` has read, which has checked the names; the client checks the values. */
export function putList(
  client: CrfClient,
  name: keyof DesignLists,
  rows: readonly Row[],
  options: PutOptions = {},
): Promise<ChangeOutcome> {
  const entries: readonly object[] = rows;
  return new DesignService(client).put(name, entries as readonly never[], { ...options, mayDelete: true });
}

/** Deletes entries of a list by their names. */
export function deleteFromList(
  client: CrfClient,
  name: DeletableList,
  names: readonly string[],
  options: { readonly dryRun?: boolean } = {},
): Promise<ChangeOutcome> {
  return new DesignService(client).delete(name, name === 'arms' ? armNumbers(names) : names, options);
}

/**
 * Parses the entries of a file in the format of `--json`.
 *
 * @throws {InvalidRequestError} not a list of objects, or a property is missing or unknown; names the property, never a
 * value
 */
export function entriesOf(text: string, { properties }: ProjectList): Row[] {
  const entries = parseJson(text, isList, 'must hold a JSON list of objects, as --json prints it');
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

function isList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isObject);
}

/** @throws {InvalidRequestError} one is not a number */
export function armNumbers(texts: readonly string[]): number[] {
  return texts.map((text, index) => {
    if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
    throw new InvalidRequestError([{ field: `arms[${index}]`, message: 'must be the number of an arm' }]);
  });
}

import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../../../wire/api-failure.js';
import type { ImportedRow } from '../../../wire/parse-rows.js';
import { checkboxColumnName } from '../../../domain/dictionary/export-column.js';

/** One row of an import: its place and its values. */
export interface PlacedRow {
  record: string;
  readonly event: string;
  readonly instrument: string;
  /** As sent by the client: a number, `new`, or empty. */
  readonly instance: string;
  /** The unique name of a data access group; empty for none, undefined if the row has no such column. */
  readonly group: string | undefined;
  /** Empty except when a study is loaded, as imports cannot bring one. */
  readonly surveyIdentifier: string;
  /** The values by export column. */
  readonly values: ReadonlyMap<string, string>;
}

const STRUCTURE: ReadonlySet<string> = new Set([
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
]);

const RECORD_NAME_LIMIT = 100;

/**
 * Reads the rows of a flat import. Column names are case-insensitive, and survey columns are ignored.
 *
 * @throws {ApiFailure} 400 for unknown columns or events, and for a missing ID
 * @see docs/protocol/redcap.md 5.2 (doc, client), 2.3 (client)
 */
export function placeFlatRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  const normalised = rows.map((row) => new Map([...row].map(([name, value]) => [name.toLowerCase(), value])));
  const columns = unknownColumns(project, normalised);
  refuse('The following fields were not found in the project as real data fields', columns);
  const placed = normalised.map((row) => placeRow(project, row));
  const events = new Set(placed.map(({ event }) => event));
  const unknown = [...events].filter((name) => project.isLongitudinal && project.event(name) === undefined);
  refuse('The following values of redcap_event_name are invalid', unknown);
  return placed;
}

/** @throws {ApiFailure} 400 if there are any such names */
function refuse(fault: string, names: readonly string[]): void {
  if (names.length > 0) throw new ApiFailure(400, `${fault}: ${names.join(', ')}`);
}

/** Returns the columns that are neither fields nor structural or survey columns. */
export function unknownColumns(project: SandboxProject, rows: readonly ImportedRow[]): string[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))].filter(
    (name) => !STRUCTURE.has(name) && !isSurveyCell(project, name) && project.column(name) === undefined,
  );
}

/**
 * Whether a column is `redcap_survey_identifier` or a survey timestamp, which imports accept but ignore. (doc, client)
 */
export function isSurveyCell(project: SandboxProject, name: string): boolean {
  if (name === 'redcap_survey_identifier') return true;
  if (project.column(name) !== undefined) return false;
  return name.endsWith('_timestamp') && project.instrument(name.replace(/_timestamp$/, '')) !== undefined;
}

/** Determines the place of one row and its values. @throws {ApiFailure} 400 for a missing ID */
export function placeRow(project: SandboxProject, row: ImportedRow): PlacedRow {
  const cell = (name: string): string => (row.get(name) ?? '').trim();
  const values = [...row].filter(
    ([name]) => name !== project.idField && !STRUCTURE.has(name) && !isSurveyCell(project, name),
  );
  return {
    record: recordName(cell(project.idField)),
    // Without an event name, the row belongs to the first event. (client)
    event: project.isLongitudinal ? cell('redcap_event_name') || project.firstEvent : '',
    instrument: cell('redcap_repeat_instrument'),
    instance: cell('redcap_repeat_instance'),
    group: row.has('redcap_data_access_group') ? cell('redcap_data_access_group') : undefined,
    surveyIdentifier: '',
    values: new Map(values),
  };
}

/**
 * Checks a record name.
 *
 * @throws {ApiFailure} 400 for an invalid name
 * @see docs/protocol/redcap.md 5.5 (choice): the error message is ours
 */
export function recordName(text: string): string {
  if (text === '') throw new ApiFailure(400, 'A record name is missing: every row must have one.');
  if (text.length > RECORD_NAME_LIMIT)
    throw new ApiFailure(400, `A record name must not have more than ${RECORD_NAME_LIMIT} characters.`);
  return text;
}

const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'] as const;

/**
 * Reads the rows of an EAV import, which have one value each. The values of one place become one row.
 *
 * @throws {ApiFailure} 400 as for flat rows, and for the instance `new`, which only flat imports support
 * @see docs/protocol/redcap.md 5.3 (doc, client)
 */
export function placeEavRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  const places = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const cell = (name: string): string => (row.get(name) ?? '').trim();
    if (cell('redcap_repeat_instance') === 'new')
      throw new ApiFailure(400, 'The value "new" of redcap_repeat_instance is not valid with type=eav');
    const place = PLACE.map((name) => [name, cell(name)] as const).filter(([, value]) => value !== '');
    const key = JSON.stringify([cell('record'), ...place]);
    const flat = places.get(key) ?? new Map([[project.idField, cell('record')], ...place]);
    places.set(key, flat);
    if (cell('field_name') !== project.idField)
      flat.set(...eavValue(project, cell('field_name'), row.get('value') ?? ''));
  }
  return placeFlatRows(project, [...places.values()]);
}

/**
 * Returns the column and the value of an EAV row. A checkbox choice is given as `f___code` with 0 or 1, or as in an export: the
 * field name with a checked code.
 */
function eavValue(project: SandboxProject, name: string, value: string): [string, string] {
  const field = project.dictionary.field(name);
  if (field?.type !== 'checkbox') return [name, value];
  const choices = [...project.dictionary.choices(field), ...project.structure.missingCodes];
  const isChecked = choices.some(({ code }) => code === value);
  return isChecked ? [checkboxColumnName(name, value), '1'] : [name, value];
}

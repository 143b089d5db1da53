import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../../../wire/api-failure.js';
import { flatRows, type ImportedRow } from '../../../wire/parse-rows.js';

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

/** Reads the rows of an EAV import, which have one value each. @throws {ApiFailure} 400 as for flat rows */
export function placeEavRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  return placeFlatRows(project, flatRows(rows, project.dictionary, project.structure.missingCodes));
}

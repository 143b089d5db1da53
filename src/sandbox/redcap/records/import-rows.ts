import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/answer.js';
import type { ImportedRow } from './parse-import.js';

/** One row of an import: where it goes, and what it brings. */
export interface PlacedRow {
  record: string;
  readonly event: string;
  readonly instrument: string;
  /** As it was sent: a number, `new`, or empty. */
  readonly instance: string;
  /** By export column. */
  readonly values: ReadonlyMap<string, string>;
}

const STRUCTURE: ReadonlySet<string> = new Set([
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
]);

/**
 * Reads the rows of a flat import. Columns match without regard to case, survey columns are ignored.
 *
 * @throws {ApiFailure} 400 for columns that are no fields, for events that do not exist, for a missing id
 * @see protocol reference 5.2 (doc, client), 2.3 (client)
 */
export function placeFlatRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  const normalised = rows.map((row) => new Map([...row].map(([name, value]) => [name.toLowerCase(), value])));
  refuseUnknownColumns(project, new Set(normalised.flatMap((row) => [...row.keys()])));
  const placed = normalised.map((row) => toPlacedRow(project, row));
  refuseUnknownEvents(project, placed);
  return placed;
}

/** Reads the rows of an EAV import: one value each; those of one place become one row. (doc, client) */
export function placeEavRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  const places = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const cell = (name: string): string => row.get(name) ?? '';
    const place = ['record', 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'].map(
      cell,
    );
    const key = JSON.stringify(place);
    const [record = '', event = '', instrument = '', instance = ''] = place;
    const flat =
      places.get(key) ??
      new Map([
        [project.idField, record],
        ...(event === '' ? [] : ([['redcap_event_name', event]] as const)),
        ...(instrument === '' ? [] : ([['redcap_repeat_instrument', instrument]] as const)),
        ...(instance === '' ? [] : ([['redcap_repeat_instance', instance]] as const)),
      ]);
    if (cell('field_name') !== project.idField)
      flat.set(...eavValue(project, cell('field_name'), cell('value')));
    places.set(key, flat);
  }
  return placeFlatRows(project, [...places.values()]);
}

/** A checkbox stands as `f___code` with 0 or 1, as an export gives it: its base name with the code. */
function eavValue(project: SandboxProject, name: string, value: string): [string, string] {
  const field = project.dictionary.field(name);
  if (field?.type !== 'checkbox') return [name, value];
  const column = project.columns.find(
    (candidate) => candidate.field === field && candidate.choice?.code === value,
  );
  return [column?.name ?? name, '1'];
}

function refuseUnknownColumns(project: SandboxProject, columns: ReadonlySet<string>): void {
  const unknown = [...columns].filter(
    (name) =>
      name !== project.idField &&
      !STRUCTURE.has(name) &&
      !isIgnored(project, name) &&
      !project.dictionary.column(name),
  );
  if (unknown.length === 0) return;
  throw new ApiFailure(
    400,
    `The following fields were not found in the project as real data fields: ${unknown.join(', ')}`,
  );
}

/** `redcap_survey_identifier` and the time stamps of surveys are accepted and ignored. (doc, client) */
function isIgnored(project: SandboxProject, name: string): boolean {
  if (name === 'redcap_survey_identifier') return true;
  return name.endsWith('_timestamp') && project.instrument(name.replace(/_timestamp$/, '')) !== undefined;
}

function toPlacedRow(project: SandboxProject, row: ImportedRow): PlacedRow {
  const cell = (name: string): string => (row.get(name) ?? '').trim();
  const record = cell(project.idField);
  if (record === '') throw new ApiFailure(400, 'A record name is missing: every row must have one.');
  if (record.length > 100) throw new ApiFailure(400, 'A record name must not have more than 100 characters.');
  return {
    record,
    event: cell('redcap_event_name') || project.firstEvent,
    instrument: cell('redcap_repeat_instrument'),
    instance: cell('redcap_repeat_instance'),
    values: new Map(
      [...row].filter(
        ([name]) => name !== project.idField && !STRUCTURE.has(name) && !isIgnored(project, name),
      ),
    ),
  };
}

function refuseUnknownEvents(project: SandboxProject, rows: readonly PlacedRow[]): void {
  if (!project.isLongitudinal) return;
  const unknown = new Set(rows.map(({ event }) => event).filter((name) => project.event(name) === undefined));
  if (unknown.size === 0) return;
  throw new ApiFailure(
    400,
    `The following values of redcap_event_name are invalid: ${[...unknown].join(', ')}`,
  );
}

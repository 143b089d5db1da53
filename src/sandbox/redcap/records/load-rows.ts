import type { SandboxProject } from '../project.js';
import type { Study } from '../study.js';
import { refusal } from '../../../domain/errors/refusal.js';
import { ApiFailure } from '../../../wire/api-failure.js';
import { applyRows } from './apply-rows.js';
import type { ImportedRow } from '../../../wire/parse-rows.js';
import { isSurveyCell, type PlacedRow, placeRow, unknownColumns } from './import-rows.js';
import { faultsOf } from './import-validation.js';

/**
 * Loads the content of a study into a project with its design: records, files and past log entries.
 *
 * @returns messages about what was left out, and about values that violate the current rules
 * @throws {InvalidRequestError} a row has no record ID
 */
export function fillProject(
  project: SandboxProject,
  study: Pick<Study, 'rows' | 'files' | 'log' | 'hasStoredCalculations'>,
  options: LoadRowsOptions = { calculated: study.hasStoredCalculations === true ? 'stored' : undefined },
): string[] {
  const notes = loadRows(project, study.rows, options);
  for (const { name, type, bytes, ...place } of study.files ?? []) {
    const event = project.isLongitudinal ? place.event : '';
    project.documents.put({ ...place, event }, { name, type, bytes });
  }
  for (const entry of study.log ?? []) {
    project.log.add(entry);
    const record = project.records.get(entry.record);
    if (record !== undefined) record.changedAt = entry.at;
  }
  return notes;
}

interface LoadRowsOptions {
  /**
   * What happens to calculated values: `stored` keeps them as given, blanks included; `left out` neither loads nor
   * computes them. By default they are kept if the rows contain any, and computed otherwise.
   */
  readonly calculated?: 'stored' | 'left out' | undefined;
}

/**
 * Loads the rows of a study into an empty project; their time of change is the project's creation time. Unlike an
 * import, this keeps values that violate the project's rules, and leaves out only values that have no place in the
 * project.
 *
 * @returns messages about what was left out, and about violated rules, without any values
 * @throws {InvalidRequestError} a row has no record ID
 */
export function loadRows(
  project: SandboxProject,
  rows: readonly Readonly<Record<string, string>>[],
  { calculated }: LoadRowsOptions = {},
): string[] {
  const notes = new Notes();
  const sent = rows.map(
    (row) => new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])),
  );
  const unknown = unknownColumns(project, sent);
  for (const name of strayTimestamps(project, sent))
    notes.add(`column "${name}" is the time stamp of an instrument that is not a survey: left out`);
  for (const name of unknown) notes.add(`column "${name}" is not a field of the data dictionary: left out`);
  const computed = project.structure.calculations.map(({ field }) => field.name);
  const dropped = new Set([...unknown, ...(calculated === 'left out' ? computed : [])]);
  const placed = sent.flatMap((row, index) => toStored(project, without(row, dropped), index, notes));

  applyRows(project, placed, {
    isOverwrite: false,
    dateOrder: 'YMD',
    keepsCalculated: calculated !== undefined || sent.some((row) => computed.some((name) => row.has(name))),
  });
  for (const record of project.records.inOrder()) record.changedAt = project.study.project.creationTime;
  return notes.sentences();
}

/** Returns the row with all values that have a place; an empty list if the row itself has none. */
function toStored(project: SandboxProject, row: ImportedRow, index: number, notes: Notes): PlacedRow[] {
  const placed = withSurveyCells(project, row, placedAt(project, row, index));
  if (project.isLongitudinal && project.event(placed.event) === undefined) {
    notes.add('rows of an event that the project does not have: left out', index);
    return [];
  }
  const hasGroup = !placed.group || project.group(placed.group) !== undefined;
  if (!hasGroup)
    notes.add('records of a data access group that the project does not have: in no group', index);
  const kept = hasGroup ? placed : { ...placed, group: '' };
  for (const { field } of faultsOf(project, kept, { dateOrder: 'YMD' })) {
    if (field.startsWith('redcap_repeat_')) {
      notes.add(`rows whose ${field} has no place in the project: left out`, index);
      return [];
    }
    notes.add(`values of ${field} that do not follow the data dictionary: kept as they are`, index);
  }
  return [kept];
}

function placedAt(project: SandboxProject, row: ImportedRow, index: number): PlacedRow {
  try {
    return placeRow(project, row);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw refusal(`records row ${index + 1}`, 'must have a record id of 1 to 100 characters');
  }
}

/** Adds the survey identifier and survey timestamps, which imports ignore. */
function withSurveyCells(project: SandboxProject, row: ImportedRow, placed: PlacedRow): PlacedRow {
  const cells = [...row].filter(([name]) => isSurveyCell(project, name));
  const stamps = cells.filter(
    ([name, value]) => value !== '' && project.survey(name.replace(/_timestamp$/, '')) !== undefined,
  );
  return {
    ...placed,
    surveyIdentifier: row.get('redcap_survey_identifier')?.trim() ?? '',
    values: new Map([...placed.values, ...stamps]),
  };
}

/** Returns the timestamp columns of instruments that are not surveys. */
function strayTimestamps(project: SandboxProject, rows: readonly ImportedRow[]): string[] {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  return [...names].filter(
    (name) =>
      name.endsWith('_timestamp') &&
      isSurveyCell(project, name) &&
      project.survey(name.replace(/_timestamp$/, '')) === undefined,
  );
}

function without(row: ImportedRow, names: ReadonlySet<string>): ImportedRow {
  return names.size === 0 ? row : new Map([...row].filter(([name]) => !names.has(name)));
}

/** Maximum number of messages that are returned; nobody would read more. */
const MAX_KINDS = 100;

/**
 * Collects messages about rows. Each kind is listed once, with the number of rows and the first one, but never with a
 * value.
 */
class Notes {
  readonly #kinds = new Map<string, { count: number; readonly first: number | undefined }>();

  /** @param index of the row, starting at 0; undefined if the message is not about a row */
  add(kind: string, index?: number): void {
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.count += 1;
    else this.#kinds.set(kind, { count: 1, first: index });
  }

  /** Returns messages such as `3 values of age that …: kept as they are (first in row 7)`. */
  sentences(): string[] {
    const all = [...this.#kinds].map(([kind, { count, first }]) =>
      first === undefined ? kind : `${count} ${kind} (first in row ${first + 1})`,
    );
    return all.length <= MAX_KINDS
      ? all
      : [...all.slice(0, MAX_KINDS), `and ${all.length - MAX_KINDS} other kinds`];
  }
}

import { InvalidRequestError } from '../../../errors/caller-errors.js';
import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/api-failure.js';
import { applyRows } from './apply-rows.js';
import { isSurveyCell, placeRow, unknownColumns, type PlacedRow } from './import-rows.js';
import type { ImportedRow } from './imported-row.js';
import { faultsOf } from './import-validation.js';
import { Notes } from './notes.js';

export interface LoadRowsOptions {
  /**
   * Calculated values: `stored` keeps them as they come, blanks too; `left out` takes none and computes none. By default
   * they are kept where the rows bring any, and computed where they bring none.
   */
  readonly calculated?: 'stored' | 'left out' | undefined;
}

/**
 * Puts the rows of a study into an empty project; the moment of change is the project's creation. It is no import: what
 * is stored stands, even where a rule of today would refuse it. Only what has no place in the project is left out.
 *
 * @returns sentences about what was left out and what does not follow the rules, never with a value
 * @throws {InvalidRequestError} a row has no record id
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
  for (const name of strayStamps(project, sent))
    notes.add(`column "${name}" is the time stamp of an instrument that is no survey: left out`);
  for (const name of unknown) notes.add(`column "${name}" is no field of the data dictionary: left out`);
  const dropped = new Set([...unknown, ...(calculated === 'left out' ? calculatedNames(project) : [])]);
  const placed = sent.flatMap((row, index) => toStored(project, without(row, dropped), index, notes));

  applyRows(project, placed, {
    isOverwrite: false,
    dateOrder: 'YMD',
    keepsFiles: true,
    keepsSurveyCells: true,
    keepsCalculated: calculated !== undefined || bringsCalculated(project, sent),
  });
  for (const record of project.records.inOrder()) record.changedAt = project.study.project.creationTime;
  return notes.sentences();
}

/** A row with everything that has a place; none where the row itself has none. */
function toStored(project: SandboxProject, row: ImportedRow, index: number, notes: Notes): PlacedRow[] {
  const placed = withSurveyCells(project, row, placedAt(project, row, index));
  if (project.isLongitudinal && project.event(placed.event) === undefined) {
    notes.add('rows of an event that the project does not have: left out', index);
    return [];
  }
  const hasGroup = placed.group === '' || project.group(placed.group) !== undefined;
  if (!hasGroup)
    notes.add('records of a data access group that the project does not have: in no group', index);
  const kept = hasGroup ? placed : { ...placed, group: '' };
  for (const { field } of faultsOf(project, kept, 'YMD')) {
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
    throw new InvalidRequestError([
      { field: `records row ${index + 1}`, message: 'must have a record id of 1 to 100 characters' },
    ]);
  }
}

/** The survey identifier and the time stamps of surveys, which no import can bring. */
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

/** Time stamps that the rows bring of what is no survey. */
function strayStamps(project: SandboxProject, rows: readonly ImportedRow[]): string[] {
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

function calculatedNames(project: SandboxProject): string[] {
  return project.calculations.map(({ field }) => field.name);
}

function bringsCalculated(project: SandboxProject, rows: readonly ImportedRow[]): boolean {
  const names = calculatedNames(project);
  return rows.some((row) => names.some((name) => row.has(name)));
}

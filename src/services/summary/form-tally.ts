import { checkboxColumnName, formStatusName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { Cells } from './chosen-records.js';
import { isExpected, type StudyOptions } from './study-options.js';
import { shownRule, type BranchingLogic, type IsShown } from './shown-fields.js';

/** The counts of an instrument at an event. */
export interface PlaceTally {
  readonly event: string;
  readonly instrument: string;
  readonly isRepeating: boolean;
  /** Whether every record of the arm is expected to have the form. */
  readonly isExpected: boolean;
  /** Forms by status: incomplete, unverified, complete. */
  readonly statuses: [number, number, number];
  /** Records that have at least one form. */
  records: number;
  /** The last record counted, so that no record is counted twice. */
  lastRecord: number;
}

/** The counts of a field. */
export interface FieldTally {
  readonly field: Field;
  readonly columns: readonly number[];
  readonly isCheckbox: boolean;
  readonly isShown: IsShown;
  shown: number;
  /** Values on forms whose branching logic hides the field now. They are among `shown`. */
  stray: number;
  missing: number;
  unknown: number;
}

/** The counts of one record, or of several. */
export interface FormTotals {
  /** Forms that are complete. */
  complete: number;
  /** Forms that were begun. */
  begun: number;
  /** Forms that are expected and that have begun, each once. */
  expected: number;
}

/** An instrument on the rows of an export. */
export interface FormOnRows {
  readonly statusColumn: number;
  readonly fields: readonly FieldTally[];
  readonly places: Map<string, PlaceTally>;
}

/** An instrument at one event. */
export interface FormAtEvent {
  readonly form: FormOnRows;
  readonly place: PlaceTally;
}

const NO_VALUES = new Set(['descriptive', 'calc']);
const STATUSES = ['0', '1', '2'];

/**
 * Prepares the counts of an instrument: of its fields, and of its forms at each event.
 *
 * @param columnAt the position of each column in the rows
 */
export function formOnRows(
  instrument: string,
  structure: ProjectStructure,
  branchingLogic: BranchingLogic,
  columnAt: ReadonlyMap<string, number>,
  plan: Pick<StudyOptions, 'optional'>,
): FormOnRows {
  const events = structure.eventsOf(instrument);
  const isSolitary = events.some((event) => structure.repeatsInstrument(event, instrument));
  // A repeating instrument has its own rows. All others share the row of their event.
  const sharesRows = (other: string): boolean =>
    other === instrument ||
    (!isSolitary &&
      events.every((event) => structure.stands(other, event) && !structure.repeatsInstrument(event, other)));
  const fields = structure.dictionary.fields
    .slice(1)
    .filter((field) => field.instrument === instrument && !NO_VALUES.has(field.type))
    .map((field) => ({
      field,
      // A missing data code is an answer, of a checkbox field as of any other.
      columns: [...columnsOf(field, structure), ...structure.missingDataColumnsOf(field)].map(
        (name) => columnAt.get(name) ?? -1,
      ),
      isCheckbox: field.type === 'checkbox',
      isShown: shownRule(field, branchingLogic, structure, columnAt, sharesRows),
      shown: 0,
      stray: 0,
      missing: 0,
      unknown: 0,
    }));
  const places = new Map(
    events.map((event): [string, PlaceTally] => [event, placeOf(event, instrument, structure, plan)]),
  );
  return { statusColumn: columnAt.get(formStatusName(instrument)) ?? -1, fields, places };
}

/**
 * Counts the form that a row holds, if it was begun.
 *
 * @param record the number of the row's record
 * @param totals the counts of the record
 */
export function countForm(
  { form, place }: FormAtEvent,
  cells: Cells,
  record: number,
  totals: FormTotals,
): void {
  const status = STATUSES.indexOf(cells[form.statusColumn] ?? '');
  // Blank means never begun, because the export requests blank values for grey forms. Without the column this is
  // unknown.
  if (form.statusColumn !== -1 && status === -1) return;
  if (form.statusColumn !== -1) place.statuses[status as 0 | 1 | 2] += 1;
  totals.begun += 1;
  if (status === 2) totals.complete += 1;
  if (place.lastRecord !== record) {
    place.lastRecord = record;
    place.records += 1;
    if (place.isExpected) totals.expected += 1;
  }
  for (const field of form.fields) countField(field, cells);
}

function placeOf(
  event: string,
  instrument: string,
  structure: ProjectStructure,
  plan: Pick<StudyOptions, 'optional'>,
): PlaceTally {
  return {
    event,
    instrument,
    isRepeating: structure.repeatsInstrument(event, instrument) || structure.repeatsEvent(event),
    isExpected: isExpected(structure, event, instrument, plan),
    statuses: [0, 0, 0],
    records: 0,
    lastRecord: -1,
  };
}

function columnsOf(field: Field, { dictionary }: ProjectStructure): string[] {
  if (field.type !== 'checkbox') return [field.name];
  return dictionary.choices(field).map(({ code }) => checkboxColumnName(field.name, code));
}

function countField(tally: FieldTally, cells: Cells): void {
  if (!isEmpty(tally, cells)) {
    tally.shown += 1; // a field with a value was shown when it was entered
    if (tally.isShown(cells) === false) tally.stray += 1;
    return;
  }
  const isShown = tally.isShown(cells);
  if (isShown === undefined) tally.unknown += 1;
  else if (isShown) {
    tally.shown += 1;
    tally.missing += 1;
  }
}

function isEmpty({ columns, isCheckbox }: FieldTally, cells: Cells): boolean {
  return columns.every((column) => {
    const cell = cells[column] ?? '';
    return cell === '' || (isCheckbox && cell === '0');
  });
}

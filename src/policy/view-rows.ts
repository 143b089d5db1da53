import type { ExportColumn } from '../dictionary/export-column.js';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { textOf } from '../records/rules/record-view.js';
import type { VisibleSelection } from './visible-selection.js';

export interface RowChoice {
  /** Whether the record of a row is one of the view, decided on the row itself. */
  readonly isOfView: (row: RecordRow) => boolean;
  readonly hasGroups: boolean;
  /** Whether the status of a form that was never saved is blank instead of `0`. */
  readonly isGrayBlank: boolean;
}

interface Place {
  readonly event: string;
  readonly instrument: string;
  readonly instance: number;
}

/**
 * Makes the rows of a view out of those of the whole project, one by one and in their order. The rows that go in have all
 * visible fields, raw and flat, with blanks for forms that were never saved. A row without any visible value is none in the view, so that it does not tell of a
 * hidden one; the others have the columns that were asked for, and stay as in an export of these columns.
 *
 * @see docs/protocol/redcap.md 4.3 (wire, inferred), 20 (wire, client)
 */
export class ViewRows {
  readonly #structure: ProjectStructure;
  readonly #selection: VisibleSelection;
  readonly #choice: RowChoice;
  readonly #idName: string;
  readonly #cells: readonly ExportColumn[];
  readonly #kept: ReadonlyMap<string, ExportColumn | undefined>;
  readonly #instruments: ReadonlySet<string>;
  /** The record of the last row, and its first row in the view until one was kept. */
  #record: string | undefined;
  #pending: RecordRow | undefined;

  constructor(structure: ProjectStructure, selection: VisibleSelection, choice: RowChoice) {
    this.#structure = structure;
    this.#selection = selection;
    this.#choice = choice;
    this.#idName = structure.dictionary.recordIdField?.name ?? '';
    const visible = new Set(selection.visible);
    this.#cells = structure.dictionary
      .exportColumns()
      .filter(({ name, field }) => name !== this.#idName && visible.has(field?.name ?? name));
    const columns = selection.columns.filter(({ name }) => name !== this.#idName);
    this.#instruments = new Set(columns.map(({ instrument }) => instrument));
    this.#kept = new Map<string, ExportColumn | undefined>([
      ...(selection.hasId
        ? [this.#idName, EVENT, ...(selection.hasRepeats ? INSTANCE : [])].map(
            (name) => [name, undefined] as const,
          )
        : []),
      ...(selection.hasId && choice.hasGroups ? [[GROUP, undefined] as const] : []),
      ...columns.map((column) => [column.name, column] as const),
      ...columns.flatMap(({ field }) =>
        (field ? structure.missingDataColumnsOf(field) : []).map((name) => [name, undefined] as const),
      ),
      ...[...this.#instruments].map((form) => [`${form}_timestamp`, undefined] as const),
    ]);
  }

  /** Returns the rows of the view that are complete with this row: none, one, or that of the record before it too. */
  push(row: RecordRow): RecordRow[] {
    const done = textOf(row, this.#idName) === this.#record ? [] : this.end();
    this.#record = textOf(row, this.#idName);
    if (!this.#choice.isOfView(row) || !this.#hasValue(row)) return done;
    if (this.#stays(row)) {
      this.#pending = undefined;
      this.#isPresent = true;
      return [...done, this.#written(row, placeOf(row))];
    }
    if (!this.#isPresent) this.#pending ??= row;
    return done;
  }

  /** Returns the row of a record of which no other row was kept: blank, but for its id. */
  end(): RecordRow[] {
    const row = this.#pending;
    this.#pending = undefined;
    this.#isPresent = false;
    if (row === undefined || !this.#selection.hasId) return [];
    const named = new Set([this.#idName, EVENT, GROUP]);
    return [
      Object.fromEntries(
        [...this.#keptOf(row)].map((name) => [name, named.has(name) ? textOf(row, name) : '']),
      ),
    ];
  }

  #isPresent = false;

  #hasValue(row: RecordRow): boolean {
    return this.#cells.some(({ name, choice }) => {
      const value = cellOf(row, name) ?? '';
      return value !== '' && !(choice !== undefined && value === '0');
    });
  }

  /** Whether an export of these columns has the row. */
  #stays(row: RecordRow): boolean {
    if (this.#selection.isWhole) return true;
    const place = placeOf(row);
    if ([...this.#instruments].some((instrument) => this.#isOn(instrument, place))) return true;
    if (place.instrument !== '') return false;
    return this.#selection.hasId || (this.#structure.isLongitudinal && place.instance === 0);
  }

  #written(row: RecordRow, place: Place): RecordRow {
    const cells: [string, string | number][] = [];
    for (const name of this.#keptOf(row)) {
      const value = cellOf(row, name) ?? '';
      const column = this.#kept.get(name);
      const isUnsaved = column !== undefined && column.field === undefined && value === '';
      const isZero = isUnsaved && !this.#choice.isGrayBlank && this.#isOn(column.instrument, place);
      cells.push([name, isZero ? '0' : value]);
    }
    return Object.fromEntries(cells);
  }

  /** The columns of a row that the caller gets, in REDCap's order. */
  *#keptOf(row: RecordRow): Generator<string, void, undefined> {
    for (const name of Object.keys(row)) if (this.#kept.has(name)) yield name;
  }

  #isOn(instrument: string, { event, instrument: repeating, instance }: Place): boolean {
    const structure = this.#structure;
    if (!structure.stands(instrument, event)) return false;
    if (instance === 0)
      return !structure.repeatsInstrument(event, instrument) && !structure.repeatsEvent(event);
    return repeating === '' ? structure.repeatsEvent(event) : repeating === instrument;
  }
}

export const GROUP = 'redcap_data_access_group';
const EVENT = 'redcap_event_name';
const INSTANCE = ['redcap_repeat_instrument', 'redcap_repeat_instance'];

function placeOf(row: RecordRow): Place {
  return {
    event: textOf(row, EVENT),
    instrument: textOf(row, 'redcap_repeat_instrument'),
    instance: Number(textOf(row, 'redcap_repeat_instance')),
  };
}

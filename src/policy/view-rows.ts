import { formStatusName, type ExportColumn } from '../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { textOf } from '../records/rules/record-view.js';

export const GROUP = 'redcap_data_access_group';
export const EVENT = 'redcap_event_name';
export const REPEAT_INSTRUMENT = 'redcap_repeat_instrument';
export const REPEAT_INSTANCE = 'redcap_repeat_instance';

/** Where the forms of a project have a place in a record. */
export class RowPlaces {
  readonly #forms = new Map<string, ReadonlySet<string>>();
  /** All instruments, of a project without events and repeats. */
  readonly #all: ReadonlySet<string> | undefined;

  constructor(readonly structure: ProjectStructure) {
    if (!structure.isLongitudinal && !structure.hasRepeats)
      this.#all = new Set(structure.dictionary.instruments);
  }

  /** Returns the instruments whose fields have a place on a row. @see docs/protocol/redcap.md 4.3 (wire) */
  formsOn(row: RecordRow): ReadonlySet<string> {
    const { structure } = this;
    if (this.#all !== undefined) return this.#all;
    const event = textOf(row, EVENT);
    const repeating = textOf(row, REPEAT_INSTRUMENT);
    const isInstance = textOf(row, REPEAT_INSTANCE) !== '';
    const place = `${event}\n${repeating}\n${isInstance}`;
    const known = this.#forms.get(place);
    if (known !== undefined) return known;
    const ofEvent = isInstance === structure.repeatsEvent(event) ? structure.instrumentsAt(event) : [];
    const found = new Set(
      repeating === ''
        ? ofEvent.filter((form) => isInstance || !structure.repeatsInstrument(event, form))
        : [repeating],
    );
    this.#forms.set(place, found);
    return found;
  }

  /** Returns a row with the status of the forms that were never saved as logic reads it, and most exports write it. */
  withStatuses(row: RecordRow): RecordRow {
    const unsaved = [...this.formsOn(row)].map(formStatusName).filter((name) => cellOf(row, name) === '');
    return unsaved.length === 0 ? row : { ...row, ...Object.fromEntries(unsaved.map((name) => [name, '0'])) };
  }
}

/** What is done to the rows of one record, one after the other, to make them those of a view. */
export interface RowSteps {
  /** Whether the record is one of the view, decided on its own rows. */
  readonly isOfView: (rows: readonly RecordRow[], record: string) => boolean;
  /** Changes a row of the view, such as for de-identification. */
  readonly change?: ((row: RecordRow, record: string) => RecordRow) | undefined;
  /** Selects among the rows of the view, such as by a filter of the caller. */
  readonly select?: ((rows: readonly RecordRow[]) => readonly RecordRow[]) | undefined;
}

/**
 * Makes the rows of a view out of those of the whole project, record by record. The rows that go in have all visible
 * fields, raw and flat, with blanks for forms that were never saved; those that come out are the rows that a project
 * without what is hidden has:
 *
 * - a row without a visible value is none, if it can have hidden ones, so that it does not tell of them;
 * - a record of which no row is left has a blank one at the first visible event of its arm, as one that has only an id:
 *   that it exists says nothing of its hidden values.
 *
 * @see docs/protocol/redcap.md 4.3 (wire, inferred), 20 (wire, client)
 */
export class ViewRows {
  readonly #idName: string;
  readonly #cells: readonly ExportColumn[];
  readonly #isPlain: boolean;
  readonly #places: RowPlaces;
  readonly #hiding = new Map<ReadonlySet<string>, boolean>();

  constructor(
    private readonly whole: ProjectStructure,
    private readonly shown: ProjectStructure,
    private readonly steps: RowSteps,
  ) {
    this.#idName = shown.dictionary.recordIdField?.name ?? '';
    this.#cells = shown.exportColumns().filter(({ name }) => name !== this.#idName);
    this.#places = new RowPlaces(whole);
    this.#isPlain = !whole.isLongitudinal && !whole.hasRepeats;
  }

  /** Returns the rows of one record. */
  of(rows: readonly RecordRow[]): readonly RecordRow[] {
    const { isOfView, change, select } = this.steps;
    const [first] = rows;
    if (first === undefined) return [];
    const record = textOf(first, this.#idName);
    if (!isOfView(rows, record)) return [];
    const visible = this.#isPlain ? rows : this.#visible(rows);
    const changed = change === undefined ? visible : visible.map((row) => change(row, record));
    return select === undefined ? changed : select(changed);
  }

  #visible(rows: readonly RecordRow[]): readonly RecordRow[] {
    const { events, eventNames } = this.shown;
    const visible = rows.filter(
      (row) => eventNames.includes(textOf(row, EVENT)) && (this.#hasValue(row) || !this.#mayHide(row)),
    );
    const [first] = rows;
    if (visible.length > 0 || first === undefined) return visible;
    if (!this.whole.isLongitudinal) return [blankRow(first, this.#idName, '')];
    const arms = rows.map((row) => this.#armOf(textOf(row, EVENT)));
    const event = events.find(({ arm }) => arms.includes(arm));
    return event === undefined ? [] : [blankRow(first, this.#idName, event.uniqueName)];
  }

  #armOf(event: string): number | undefined {
    return this.whole.events.find(({ uniqueName }) => uniqueName === event)?.arm;
  }

  #hasValue(row: RecordRow): boolean {
    return this.#cells.some(({ name, choice }) => {
      const value = cellOf(row, name) ?? '';
      return value !== '' && !(choice !== undefined && value === '0');
    });
  }

  /** Whether a field at the place of a row is hidden. */
  #mayHide(row: RecordRow): boolean {
    const { whole, shown } = this;
    const forms = this.#places.formsOn(row);
    const known = this.#hiding.get(forms);
    if (known !== undefined) return known;
    const mayHide = whole.dictionary
      .exportColumns()
      .some(({ name, instrument }) => forms.has(instrument) && !shown.dictionary.column(name));
    this.#hiding.set(forms, mayHide);
    return mayHide;
  }
}

/** Returns a row of a record without a value, at an event. */
export function blankRow(row: RecordRow, idName: string, event: string): RecordRow {
  const kept = new Map([
    [idName, textOf(row, idName)],
    [EVENT, event],
    [GROUP, textOf(row, GROUP)],
  ]);
  return Object.fromEntries(Object.keys(row).map((name) => [name, kept.get(name) ?? '']));
}

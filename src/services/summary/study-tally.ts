import type { Field } from '../../dictionary/field.js';
import { checkboxColumnName, formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { RowSink } from './read-rows.js';
import type { RowCells } from './row-cells.js';
import { shownRule, type IsShown } from './shown-fields.js';

/** The counts of an instrument at an event. */
export interface PlaceTally {
  readonly event: string;
  readonly instrument: string;
  readonly isRepeating: boolean;
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
  missing: number;
  unknown: number;
}

/** An instrument on the rows of an export. */
interface FormOnRows {
  readonly statusColumn: number;
  readonly fields: readonly FieldTally[];
  readonly places: Map<string, PlaceTally>;
}

/** An instrument at one event. */
interface FormAtEvent {
  readonly form: FormOnRows;
  readonly place: PlaceTally;
}

const NO_VALUES = new Set(['descriptive', 'calc']);
const [ZERO, TWO] = [0x30, 0x32];

/**
 * Counts a study as its rows pass. It relies on REDCap exporting the rows of a record one after the other. Memory:
 * depends on the size of the project, not on the number of records.
 *
 * @see docs/protocol/redcap.md 4.2 (wire)
 */
export class StudyTally implements RowSink {
  readonly #structure: ProjectStructure;
  readonly #dateField: string | undefined;
  #forms = new Map<string, FormOnRows>();
  /** By event: the forms that share one row. Computed once, to avoid lookups by name for each row. */
  #sharedRows = new Map<string, readonly FormAtEvent[]>();
  #idColumn = -1;
  #eventColumn = -1;
  #instrumentColumn = -1;
  #groupColumn = -1;
  #dateColumn = -1;
  #lastId: Buffer = Buffer.alloc(0);
  #records = 0;
  #date = '';
  #group = '';
  readonly #armOf: ReadonlyMap<string, number>;
  readonly #lastRecordOfArm = new Map<number, number>();
  /** The number of records by arm. Classic projects have arm 1. */
  readonly recordsOfArm = new Map<number, number>();
  /** The number of records by day. The empty string stands for records without a day. */
  readonly byDay = new Map<string, number>();
  /**
   * The number of records by unique name of the data access group. The empty string stands for records without a group.
   */
  readonly byGroup = new Map<string, number>();

  constructor(structure: ProjectStructure, dateField: string | undefined) {
    this.#structure = structure;
    this.#dateField = dateField;
    this.#armOf = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
  }

  get records(): number {
    return this.#records;
  }

  get places(): readonly PlaceTally[] {
    return [...this.#forms.values()].flatMap(({ places }) => [...places.values()]);
  }

  get fields(): readonly FieldTally[] {
    return [...this.#forms.values()].flatMap(({ fields }) => fields);
  }

  armOf(event: string): number {
    return this.#armOf.get(event) ?? 1;
  }

  header(names: readonly string[]): void {
    const columnAt = new Map(names.map((name, index) => [name, index]));
    const at = (name: string): number => columnAt.get(name) ?? -1;
    this.#idColumn = at(this.#structure.dictionary.recordIdField?.name ?? '');
    this.#eventColumn = at('redcap_event_name');
    this.#instrumentColumn = at('redcap_repeat_instrument');
    this.#groupColumn = at('redcap_data_access_group');
    this.#dateColumn = at(this.#dateField ?? '');
    this.#forms = new Map(
      this.#structure.dictionary.instruments.map((instrument) => [
        instrument,
        this.#form(instrument, columnAt),
      ]),
    );
    this.#sharedRows = this.#formsOfSharedRows();
  }

  row(cells: RowCells): void {
    if (this.#records === 0 || !cells.equals(this.#idColumn, this.#lastId)) this.#begin(cells);
    const event = this.#eventColumn === -1 ? '' : cells.text(this.#eventColumn);
    this.#countArm(this.armOf(event));
    if (this.#date === '' && !cells.isEmpty(this.#dateColumn))
      this.#date = cells.text(this.#dateColumn).slice(0, 10);
    if (this.#group === '' && !cells.isEmpty(this.#groupColumn)) this.#group = cells.text(this.#groupColumn);

    const repeating = this.#instrumentColumn === -1 ? '' : cells.text(this.#instrumentColumn);
    if (repeating !== '') this.#countRepeating(repeating, event, cells);
    else for (const shared of this.#sharedRows.get(event) ?? []) this.#countForm(shared, cells);
  }

  /** Completes the counts after the last row. */
  end(): void {
    if (this.#forms.size === 0) this.header([]); // an empty export has no header
    this.#settle();
    this.#lastId = Buffer.alloc(0);
  }

  #begin(cells: RowCells): void {
    this.#settle();
    this.#lastId = cells.bytes(this.#idColumn);
    this.#records += 1;
    this.#date = '';
    this.#group = '';
  }

  /** Counts a record after its last row. */
  #settle(): void {
    if (this.#records === 0) return;
    add(this.byDay, /^\d{4}-\d\d-\d\d$/.test(this.#date) ? this.#date : '');
    add(this.byGroup, this.#group);
  }

  #countArm(arm: number): void {
    if (this.#lastRecordOfArm.get(arm) === this.#records) return;
    this.#lastRecordOfArm.set(arm, this.#records);
    add(this.recordsOfArm, arm);
  }

  #countRepeating(instrument: string, event: string, cells: RowCells): void {
    const form = this.#forms.get(instrument);
    const place = form?.places.get(event);
    if (form !== undefined && place !== undefined) this.#countForm({ form, place }, cells);
  }

  #countForm({ form, place }: FormAtEvent, cells: RowCells): void {
    const status = cells.onlyByte(form.statusColumn);
    // Blank means never begun, because the export requests blank values for grey forms. Without the column this is
    // unknown.
    if (form.statusColumn !== -1 && (status < ZERO || status > TWO)) return;
    if (form.statusColumn !== -1) place.statuses[(status - ZERO) as 0 | 1 | 2] += 1;
    if (place.lastRecord !== this.#records) {
      place.lastRecord = this.#records;
      place.records += 1;
    }
    for (const field of form.fields) countField(field, cells);
  }

  #formsOfSharedRows(): Map<string, readonly FormAtEvent[]> {
    const shared = new Map<string, FormAtEvent[]>();
    for (const [instrument, form] of this.#forms) {
      for (const [event, place] of form.places) {
        if (this.#structure.repeatsInstrument(event, instrument)) continue;
        const forms = shared.get(event) ?? [];
        forms.push({ form, place });
        shared.set(event, forms);
      }
    }
    return shared;
  }

  #form(instrument: string, columnAt: ReadonlyMap<string, number>): FormOnRows {
    const { dictionary } = this.#structure;
    const events = this.#structure.eventsOf(instrument);
    const isSolitary = events.some((event) => this.#structure.repeatsInstrument(event, instrument));
    // A repeating instrument has its own rows. All others share the row of their event.
    const sharesRows = (other: string): boolean =>
      other === instrument ||
      (!isSolitary &&
        events.every(
          (event) => this.#structure.stands(other, event) && !this.#structure.repeatsInstrument(event, other),
        ));
    const fields = dictionary.fields
      .slice(1)
      .filter((field) => field.instrument === instrument && !NO_VALUES.has(field.type))
      .map((field) => ({
        field,
        // A missing data code is an answer, of a checkbox field as of any other.
        columns: [...this.#columnsOf(field), ...this.#structure.missingDataColumnsOf(field)].map(
          (name) => columnAt.get(name) ?? -1,
        ),
        isCheckbox: field.type === 'checkbox',
        isShown: shownRule(field, this.#structure, columnAt, sharesRows),
        shown: 0,
        missing: 0,
        unknown: 0,
      }));
    const places = new Map(
      events.map((event): [string, PlaceTally] => [
        event,
        {
          event,
          instrument,
          isRepeating:
            this.#structure.repeatsInstrument(event, instrument) || this.#structure.repeatsEvent(event),
          statuses: [0, 0, 0],
          records: 0,
          lastRecord: -1,
        },
      ]),
    );
    return { statusColumn: columnAt.get(formStatusName(instrument)) ?? -1, fields, places };
  }

  #columnsOf(field: Field): string[] {
    if (field.type !== 'checkbox') return [field.name];
    return this.#structure.dictionary.choices(field).map(({ code }) => checkboxColumnName(field.name, code));
  }
}

function countField(tally: FieldTally, cells: RowCells): void {
  if (!isEmpty(tally, cells)) {
    tally.shown += 1; // a field with a value was shown when it was entered
    return;
  }
  const isShown = tally.isShown(cells);
  if (isShown === undefined) tally.unknown += 1;
  else if (isShown) {
    tally.shown += 1;
    tally.missing += 1;
  }
}

function isEmpty({ columns, isCheckbox }: FieldTally, cells: RowCells): boolean {
  for (const column of columns) {
    if (cells.isEmpty(column)) continue;
    if (!isCheckbox || cells.onlyByte(column) !== ZERO) return false;
  }
  return true;
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

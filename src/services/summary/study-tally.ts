import { isDay } from '../../domain/dictionary/text-validations.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import {
  countForm,
  formOnRows,
  type FieldTally,
  type FormAtEvent,
  type FormOnRows,
  type FormTotals,
  type PlaceTally,
} from './form-tally.js';
import type { Cells, RowSink } from './read-rows.js';
import type { StudyOptions } from './study-options.js';
import { compileBranchingLogic, type BranchingLogic } from './shown-fields.js';

/** The counts of a data access group. */
export interface SiteTally {
  records: number;
  /** Forms that are complete. */
  complete: number;
  /** Forms that were begun, and those that are expected and were not. */
  forms: number;
}

/**
 * Counts a study as its rows pass. It relies on REDCap exporting the rows of a record one after the other. Memory:
 * depends on the size of the project, not on the number of records.
 *
 * @see docs/protocol/redcap.md 4.2 (wire)
 */
export class StudyTally implements RowSink {
  readonly #structure: ProjectStructure;
  readonly #branchingLogic: BranchingLogic;
  readonly #dateField: string | undefined;
  readonly #events: ReadonlySet<string> | undefined;
  readonly #plan: Pick<StudyOptions, 'optional'>;
  #forms = new Map<string, FormOnRows>();
  /** By event: the forms that share one row. Computed once, to avoid lookups by name for each row. */
  #sharedRows = new Map<string, readonly FormAtEvent[]>();
  #idColumn = -1;
  #eventColumn = -1;
  #instrumentColumn = -1;
  #groupColumn = -1;
  #dateColumn = -1;
  #lastId = '';
  #records = 0;
  #date = '';
  #group = '';
  #totals: FormTotals = { complete: 0, begun: 0, expected: 0 };
  /** The number of forms that are expected of a record by arm. */
  #expectedIn = new Map<number, number>();
  readonly #armOf: ReadonlyMap<string, number>;
  readonly #lastRecordOfArm = new Map<number, number>();
  /** The number of records by arm. Classic projects have arm 1. */
  readonly recordsOfArm = new Map<number, number>();
  /** The number of records by day. The empty string stands for records without a day. */
  readonly byDay = new Map<string, number>();
  /**
   * The records and forms by unique name of the data access group. The empty string stands for records without a group.
   */
  readonly bySite = new Map<string, SiteTally>();

  private constructor(
    structure: ProjectStructure,
    branchingLogic: BranchingLogic,
    dateField: string | undefined,
    events: ReadonlySet<string> | undefined,
    plan: Pick<StudyOptions, 'optional'>,
  ) {
    this.#structure = structure;
    this.#branchingLogic = branchingLogic;
    this.#dateField = dateField;
    this.#events = events;
    this.#plan = plan;
    this.#armOf = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
  }

  /**
   * @param dateField the field whose date counts for `byDay`; none if undefined
   * @param events only forms at these events are counted; all of them if undefined
   * @param plan says which forms are not expected
   */
  static async of(
    structure: ProjectStructure,
    dateField?: string,
    events?: ReadonlySet<string>,
    plan: Pick<StudyOptions, 'optional'> = {},
  ): Promise<StudyTally> {
    return new StudyTally(structure, await compileBranchingLogic(structure), dateField, events, plan);
  }

  get records(): number {
    return this.#records;
  }

  get places(): readonly PlaceTally[] {
    const places = [...this.#forms.values()].flatMap((form) => [...form.places.values()]);
    return places.filter(({ event }) => this.#events?.has(event) !== false);
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
        formOnRows(instrument, this.#structure, this.#branchingLogic, columnAt, this.#plan),
      ]),
    );
    this.#sharedRows = this.#formsOfSharedRows();
    for (const { event, isExpected } of this.places) if (isExpected) add(this.#expectedIn, this.armOf(event));
  }

  row(cells: Cells): void {
    if (this.#records === 0 || cells[this.#idColumn] !== this.#lastId) this.#begin(cells);
    const event = cells[this.#eventColumn] ?? '';
    this.#countArm(this.armOf(event));
    if (this.#date === '') this.#date = (cells[this.#dateColumn] ?? '').slice(0, 10);
    if (this.#group === '') this.#group = cells[this.#groupColumn] ?? '';

    if (this.#events?.has(event) === false) return;
    const repeating = cells[this.#instrumentColumn] ?? '';
    if (repeating !== '') this.#countRepeating(repeating, event, cells);
    else
      for (const shared of this.#sharedRows.get(event) ?? [])
        countForm(shared, cells, this.#records, this.#totals);
  }

  /** Completes the counts after the last row. */
  end(): void {
    if (this.#forms.size === 0) this.header([]); // an empty export has no header
    this.#settle();
  }

  #begin(cells: Cells): void {
    this.#settle();
    this.#lastId = cells[this.#idColumn] ?? '';
    this.#records += 1;
    this.#date = '';
    this.#group = '';
    this.#totals = { complete: 0, begun: 0, expected: 0 };
  }

  /** Counts a record after its last row. */
  #settle(): void {
    if (this.#records === 0) return;
    add(this.byDay, isDay(this.#date) ? this.#date : '');
    const site = this.bySite.get(this.#group) ?? { records: 0, complete: 0, forms: 0 };
    this.bySite.set(this.#group, site);
    const { complete, begun, expected } = this.#totals;
    let ofArms = 0;
    for (const [arm, last] of this.#lastRecordOfArm)
      if (last === this.#records) ofArms += this.#expectedIn.get(arm) ?? 0;
    site.records += 1;
    site.complete += complete;
    site.forms += begun + ofArms - expected;
  }

  #countArm(arm: number): void {
    if (this.#lastRecordOfArm.get(arm) === this.#records) return;
    this.#lastRecordOfArm.set(arm, this.#records);
    add(this.recordsOfArm, arm);
  }

  #countRepeating(instrument: string, event: string, cells: Cells): void {
    const form = this.#forms.get(instrument);
    const place = form?.places.get(event);
    if (form !== undefined && place !== undefined)
      countForm({ form, place }, cells, this.#records, this.#totals);
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
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

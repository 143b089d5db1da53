import { isDay } from '../../domain/dictionary/text-validations.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { Cells, RecordSink } from './chosen-records.js';
import {
  countForm,
  formOnRows,
  type FieldTally,
  type FormAtEvent,
  type FormOnRows,
  type PlaceTally,
} from './form-tally.js';
import type { StudyOptions } from './study-options.js';
import { compileBranchingLogic, type BranchingLogic } from './shown-fields.js';

/** The counts of a data access group. */
export interface DagTally {
  records: number;
  /** Forms that are complete. */
  complete: number;
  /** Forms that were begun, and those that are expected and were not. */
  forms: number;
}

/** Counts a study as its records pass. Memory: depends on the size of the project, not on the number of records. */
export class StudyTally implements RecordSink {
  #forms = new Map<string, FormOnRows>();
  /** By event: the forms that share one row. Computed once, to avoid lookups by name for each row. */
  readonly #sharedRows = new Map<string, FormAtEvent[]>();
  #columns = { event: -1, instrument: -1, group: -1, date: -1 };
  #records = 0;
  /** The number of forms that are expected of a record by arm. */
  readonly #expectedIn = new Map<number, number>();
  readonly #armOf: ReadonlyMap<string, number>;
  /** The number of records by arm. Classic projects have arm 1. */
  readonly recordsOfArm = new Map<number, number>();
  /** The number of records by day. The empty string stands for records without a day. */
  readonly byDay = new Map<string, number>();
  /**
   * The records and forms by unique name of the data access group. The empty string stands for records without a group.
   */
  readonly byDag = new Map<string, DagTally>();

  private constructor(
    private readonly structure: ProjectStructure,
    private readonly branchingLogic: BranchingLogic,
    private readonly dateField: string | undefined,
    private readonly events: ReadonlySet<string> | undefined,
    private readonly plan: Pick<StudyOptions, 'optional'>,
  ) {
    this.#armOf = new Map(structure.events.map(({ uniqueName, arm }) => [uniqueName, arm]));
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
    return places.filter(({ event }) => this.events?.has(event) !== false);
  }

  get fields(): readonly FieldTally[] {
    return [...this.#forms.values()].flatMap(({ fields }) => fields);
  }

  armOf(event: string): number {
    return this.#armOf.get(event) ?? 1;
  }

  header(names: readonly string[]): void {
    const { structure, branchingLogic, plan } = this;
    const columnAt = new Map(names.map((name, index) => [name, index]));
    const at = (name: string): number => columnAt.get(name) ?? -1;
    this.#columns = {
      event: at('redcap_event_name'),
      instrument: at('redcap_repeat_instrument'),
      group: at('redcap_data_access_group'),
      date: at(this.dateField ?? ''),
    };
    for (const instrument of structure.dictionary.instruments) {
      const form = formOnRows(instrument, structure, branchingLogic, columnAt, plan);
      this.#forms.set(instrument, form);
      for (const [event, place] of form.places) {
        if (structure.repeatsInstrument(event, instrument)) continue;
        const forms = this.#sharedRows.get(event) ?? [];
        this.#sharedRows.set(event, forms);
        forms.push({ form, place });
      }
    }
    for (const { event, isExpected } of this.places) if (isExpected) add(this.#expectedIn, this.armOf(event));
  }

  record(rows: readonly Cells[]): void {
    this.#records += 1;
    const totals = { complete: 0, begun: 0, expected: 0 };
    const arms = new Set<number>();
    const at = this.#columns;
    let [date, group] = ['', ''];
    for (const cells of rows) {
      const event = cells[at.event] ?? '';
      arms.add(this.armOf(event));
      if (date === '') date = (cells[at.date] ?? '').slice(0, 10);
      if (group === '') group = cells[at.group] ?? '';
      if (this.events?.has(event) === false) continue;
      for (const form of this.#formsOn(event, cells[at.instrument] ?? ''))
        countForm(form, cells, this.#records, totals);
    }
    let ofArms = 0;
    for (const arm of arms) {
      add(this.recordsOfArm, arm);
      ofArms += this.#expectedIn.get(arm) ?? 0;
    }
    add(this.byDay, isDay(date) ? date : '');
    const dag = this.byDag.get(group) ?? { records: 0, complete: 0, forms: 0 };
    this.byDag.set(group, dag);
    dag.records += 1;
    dag.complete += totals.complete;
    dag.forms += totals.begun + ofArms - totals.expected;
  }

  #formsOn(event: string, repeating: string): readonly FormAtEvent[] {
    if (repeating === '') return this.#sharedRows.get(event) ?? [];
    const form = this.#forms.get(repeating);
    const place = form?.places.get(event);
    return form === undefined || place === undefined ? [] : [{ form, place }];
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { hasValue, isShownOn } from '../../records/rules/check-record.js';
import type { FieldCheck, FormChecks } from '../../records/rules/form-checks.js';
import { RecordView, textOf, type ViewedRow } from '../../records/rules/record-view.js';
import type { StudyFilter } from './chosen-records.js';
import { chosenEvents, rowFilter } from './list-filter.js';
import { formLister, statusOf, type FormLister, type ListedForm, type ListedRecord } from './listed-forms.js';
import { isExpected, type StudyOptions } from './study-options.js';

/** The counts of a data access group. */
export interface DagTally {
  records: number;
  /** Forms that are complete. */
  complete: number;
  /** Forms that were begun, and those that are expected and were not. */
  forms: number;
}

/** The counts of an instrument at an event. */
export interface PlaceTally {
  readonly event: string;
  readonly instrument: string;
  readonly isRepeating: boolean;
  /** Whether every record of the arm is expected to have the form. */
  readonly isExpected: boolean;
  incomplete: number;
  unverified: number;
  complete: number;
  /** Records that have at least one form. */
  records: number;
}

/** The counts of a field, on forms that were begun. */
export interface FieldTally {
  readonly field: Field;
  readonly check: FieldCheck;
  shown: number;
  /** Values on forms whose branching logic hides the field now. They are among `shown`. */
  stray: number;
  missing: number;
  /** Forms without a value on which it is not known whether the field is shown. */
  unknown: number;
}

const NO_VALUES = new Set(['descriptive', 'calc']);

/** Counts a study as its records pass. Memory: depends on the size of the project, not on the number of records. */
export class StudyTally {
  records = 0;
  /** The number of records by arm. Classic projects have arm 1. */
  readonly recordsOfArm = new Map<number, number>();
  /** The number of records by day. The empty string stands for records without a day. */
  readonly byDay = new Map<string, number>();
  /**
   * The records and forms by unique name of the data access group. The empty string stands for records without a group.
   */
  readonly byDag = new Map<string, DagTally>();
  readonly #places = new Map<string, PlaceTally>();
  readonly #fieldsOf: ReadonlyMap<string, readonly FieldTally[]>;
  readonly #armOf: ReadonlyMap<string, number>;
  readonly #formsOf: FormLister;
  readonly #isWanted: (form: ListedForm) => boolean;

  /**
   * @param forms what is known of the fields of the project
   * @param filter selects the forms that are counted, by event or arm
   * @param plan says which forms are not expected
   */
  constructor(
    private readonly structure: ProjectStructure,
    forms: readonly FormChecks[],
    filter: StudyFilter = {},
    plan: Pick<StudyOptions, 'optional'> = {},
  ) {
    this.#armOf = new Map(structure.events.map(({ uniqueName, arm }) => [uniqueName, arm]));
    this.#formsOf = formLister(structure, plan);
    this.#isWanted = rowFilter(filter, structure);
    const idField = structure.dictionary.recordIdField;
    this.#fieldsOf = new Map(
      forms.map(({ instrument, fields }) => [
        instrument,
        fields
          .filter(({ field }) => field !== idField && !NO_VALUES.has(field.type))
          .map((check) => ({ field: check.field, check, shown: 0, stray: 0, missing: 0, unknown: 0 })),
      ]),
    );
    const events = chosenEvents(filter, structure);
    for (const { instrument } of forms)
      for (const event of structure.eventsOf(instrument))
        if (events?.has(event) !== false)
          this.#places.set(keyOf(event, instrument), {
            event,
            instrument,
            isRepeating: structure.repeatsInstrument(event, instrument) || structure.repeatsEvent(event),
            isExpected: isExpected(structure, event, instrument, plan),
            ...{ incomplete: 0, unverified: 0, complete: 0, records: 0 },
          });
  }

  get places(): readonly PlaceTally[] {
    return [...this.#places.values()];
  }

  get fields(): readonly FieldTally[] {
    return [...this.#fieldsOf.values()].flat();
  }

  armOf(event: string): number {
    return this.#armOf.get(event) ?? 1;
  }

  /** @param rows all rows of the record, exported with `exportBlankForGrayFormStatus` */
  add(listed: ListedRecord, rows: readonly RecordRow[]): void {
    this.records += 1;
    addTo(this.byDay, listed.joined);
    const arms = new Set(rows.map((row) => this.armOf(textOf(row, 'redcap_event_name'))));
    for (const arm of arms) addTo(this.recordsOfArm, arm);
    this.#addForms(listed, rows);
    const view = new RecordView(this.structure, listed.record, rows);
    for (const row of view.rows) this.#addFields(view, row);
  }

  #addForms(listed: ListedRecord, rows: readonly RecordRow[]): void {
    const forms = this.#formsOf(listed, rows).filter(this.#isWanted);
    let last: PlaceTally | undefined;
    for (const { event, instrument, status } of forms) {
      const place = this.#places.get(keyOf(event, instrument));
      if (place === undefined || status === 'notBegun') continue;
      place[status] += 1;
      if (place !== last) place.records += 1; // the instances of a form follow each other
      last = place;
    }
    const dag = this.byDag.get(listed.dag) ?? { records: 0, complete: 0, forms: 0 };
    this.byDag.set(listed.dag, dag);
    dag.records += 1;
    dag.complete += forms.filter(({ status }) => status === 'complete').length;
    dag.forms += forms.length;
  }

  #addFields(view: RecordView, row: ViewedRow): void {
    const scope = view.scopeOf(row);
    for (const instrument of view.instrumentsOn(row)) {
      const isCounted = this.#places.has(keyOf(row.event, instrument));
      if (!isCounted || statusOf(row.values, instrument) === undefined) continue;
      for (const tally of this.#fieldsOf.get(instrument) ?? []) {
        const isShown = isShownOn(tally.check, scope);
        if (hasValue(tally.check, row)) {
          tally.shown += 1; // a field with a value was shown when it was entered
          if (isShown === false) tally.stray += 1;
        } else if (isShown === undefined) tally.unknown += 1;
        else if (isShown) {
          tally.shown += 1;
          tally.missing += 1;
        }
      }
    }
  }
}

function keyOf(event: string, instrument: string): string {
  return `${event}\n${instrument}`;
}

function addTo<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

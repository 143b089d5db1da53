import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { checkboxColumnName } from '../../domain/dictionary/export-column.js';
import { cellOf, type RecordRow } from '../../gateways/redcap/record-row.js';
import type { LogicScope } from '../../domain/logic/evaluator.js';
import type { InstanceName, Reference } from '../../domain/logic/syntax.js';

/** One row of an export with its place in the record. */
export interface ViewedRow {
  readonly event: string;
  /** The repeating instrument; empty for rows of an event. */
  readonly repeatInstrument: string;
  /** 0 if nothing repeats. */
  readonly instance: number;
  readonly values: RecordRow;
}

/** @returns the value of a column as text; empty if there is none */
export function textOf(values: RecordRow, column: string): string {
  const value = cellOf(values, column);
  return value === undefined ? '' : `${value}`;
}

/** All rows of one record, as evaluated by its logic. @see docs/protocol/redcap.md 7.1 (doc) */
export class RecordView {
  readonly rows: readonly ViewedRow[];
  readonly #byPlace = new Map<string, ViewedRow>();
  /** The first and last instance of each series that has any. */
  readonly #ends = new Map<string, { readonly first: number; readonly last: number }>();

  constructor(
    private readonly structure: ProjectStructure,
    readonly id: string,
    rows: readonly RecordRow[],
  ) {
    this.rows = rows.map((values) => ({
      event: textOf(values, 'redcap_event_name'),
      repeatInstrument: textOf(values, 'redcap_repeat_instrument'),
      instance: Number(values['redcap_repeat_instance'] ?? 0),
      values,
    }));
    for (const row of this.rows) {
      this.#byPlace.set(placeOf(row.event, row.repeatInstrument, row.instance), row);
      if (row.instance > 0) this.#addToSeries(row);
    }
  }

  #addToSeries({ event, repeatInstrument, instance }: ViewedRow): void {
    const series = placeOf(event, repeatInstrument, 0);
    const { first, last } = this.#ends.get(series) ?? { first: instance, last: instance };
    this.#ends.set(series, { first: Math.min(instance, first), last: Math.max(instance, last) });
  }

  /** Returns the instruments whose fields are on a row. */
  instrumentsOn({ event, repeatInstrument }: ViewedRow): readonly string[] {
    if (repeatInstrument !== '') return [repeatInstrument];
    const instruments = this.structure.instrumentsAt(event);
    return instruments.filter((instrument) => !this.structure.repeatsInstrument(event, instrument));
  }

  /** Returns the scope in which the logic of a form on this row is evaluated. */
  scopeOf(row: ViewedRow): LogicScope {
    return { value: (reference) => this.#value(row, reference), smart: (name) => this.#smart(row, name) };
  }

  #value(row: ViewedRow, reference: Reference): string | undefined {
    const { dictionary } = this.structure;
    const name = reference.field.toLowerCase();
    const field = dictionary.field(name);
    const column = dictionary.column(name);
    if (name === dictionary.recordIdField?.name) return this.id;
    if (field === undefined && (column === undefined || column.field !== undefined)) return undefined;
    // A checkbox reference without a choice, or a choice of another field, has no known meaning.
    if ((field?.type === 'checkbox') !== (reference.code !== undefined)) return undefined;
    const instrument = field?.instrument ?? column?.instrument ?? '';
    const place = this.#rowFor(row, instrument, reference);
    if (place === 'unknown') return undefined;
    if (reference.code === undefined) return place === undefined ? '' : textOf(place.values, name);
    const stored = place && textOf(place.values, checkboxColumnName(name, reference.code));
    return stored === '1' ? '1' : '0';
  }

  /**
   * Returns the row that a reference means; undefined if there is none; `unknown` if it is not known which row REDCap
   * uses.
   */
  #rowFor(row: ViewedRow, instrument: string, reference: Reference): ViewedRow | undefined | 'unknown' {
    const event = reference.event === undefined ? row.event : this.#event(row, reference.event);
    if (event === undefined) return 'unknown';
    const repeatInstrument = this.structure.repeatsInstrument(event, instrument) ? instrument : '';
    const doesRepeat = repeatInstrument !== '' || this.structure.repeatsEvent(event);
    if (!this.structure.stands(instrument, event)) return undefined;
    if (!doesRepeat) return this.#byPlace.get(placeOf(event, '', 0));

    const ends = this.#ends.get(placeOf(event, repeatInstrument, 0));
    const isOwnSeries = event === row.event && repeatInstrument === row.repeatInstrument;
    if (ends === undefined) return undefined;
    if (reference.instance === undefined && !isOwnSeries) return 'unknown';
    const instance = instanceNumber(reference.instance, row.instance, ends);
    return this.#byPlace.get(placeOf(event, repeatInstrument, instance));
  }

  #event(row: ViewedRow, name: string): string | undefined {
    const { events } = this.structure;
    if (events.length === 0) return name.toLowerCase() === 'event_1_arm_1' ? '' : undefined;
    const arm = events.find(({ uniqueName }) => uniqueName === row.event)?.arm;
    const ofArm = events.filter((event) => event.arm === arm);
    const at = ofArm.findIndex(({ uniqueName }) => uniqueName === row.event);
    switch (name) {
      case 'event-name':
        return row.event;
      case 'first-event-name':
        return ofArm[0]?.uniqueName;
      case 'last-event-name':
        return ofArm.at(-1)?.uniqueName;
      case 'previous-event-name':
        return ofArm[at - 1]?.uniqueName;
      case 'next-event-name':
        return ofArm[at + 1]?.uniqueName;
      default:
        return name.toLowerCase();
    }
  }

  #smart(row: ViewedRow, name: string): string | undefined {
    switch (name) {
      case 'record-name':
        return this.id;
      case 'event-name':
        return row.event;
      case 'first-event-name':
      case 'last-event-name':
        return this.#event(row, name) ?? '';
      case 'arm-number':
        return `${this.structure.events.find(({ uniqueName }) => uniqueName === row.event)?.arm ?? 1}`;
      case 'current-instance':
        return row.instance === 0 ? '' : `${row.instance}`;
      default:
        return undefined;
    }
  }
}

/** @param ends the first and last instance that exist: any can have been deleted */
function instanceNumber(
  instance: InstanceName | undefined,
  current: number,
  ends: { readonly first: number; readonly last: number },
): number {
  switch (instance) {
    case undefined:
    case 'current':
      return Math.max(1, current);
    case 'first':
    case 'last':
      return ends[instance];
    case 'previous':
      return current - 1;
    case 'next':
      return current + 1;
    default:
      return instance;
  }
}

/** Returns the place of a row in its record, to compare it with others. @param instance 0 if nothing repeats */
export function placeOf(event: string, instrument: string, instance: number): string {
  return `${event}\n${instrument}\n${instance}`;
}

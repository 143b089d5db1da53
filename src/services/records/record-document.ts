import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { cellOf, type RecordRow } from '../../gateways/redcap/record-row.js';
import type {
  EventDocument,
  InstanceDocument,
  RecordDocument,
} from '../../gateways/redcap/record-document.js';
import type { OutputRow } from '../../records/formats/row-bytes.js';

/** Creates nested documents from the rows of records. */
export class RecordNesting {
  /**
   * The values of each row by instrument. Each row is converted once, because converting reports what does not fit, and
   * it is not searched again for each of a hundred instruments.
   */
  readonly #values = new WeakMap<RecordRow, ReadonlyMap<string, Record<string, unknown>>>();
  readonly #begun = new WeakMap<RecordRow, ReadonlySet<string>>();
  /** The instruments of the columns seen so far. */
  readonly #instruments = new Map<string, string | undefined>();

  /** @param convert converts the values of a row, or returns them unchanged */
  constructor(
    private readonly structure: ProjectStructure,
    private readonly convert: (row: RecordRow) => OutputRow,
  ) {}

  /** @param rows all rows of the record, in any order */
  document(record: string, rows: readonly RecordRow[]): RecordDocument<unknown> {
    const group = rows.map((row) => row['redcap_data_access_group']).find((name) => name !== undefined);
    const events = this.structure.eventNames
      .map((event) =>
        this.#event(
          event,
          rows.filter((row) => textOf(row, 'redcap_event_name') === event),
        ),
      )
      .filter((event) => event !== undefined);
    return { record, ...(group !== undefined && { dataAccessGroup: `${group}` }), events };
  }

  #event(event: string, rows: readonly RecordRow[]): EventDocument<unknown> | undefined {
    if (rows.length === 0) return undefined;
    const names = new Set<string | undefined>();
    for (const row of rows) for (const name of Object.keys(row)) names.add(this.#instrumentOf(name));
    const instruments = this.structure
      .instrumentsAt(event)
      .filter((instrument) => names.has(instrument))
      .map((instrument) => ({ instrument, instances: this.#instances(event, instrument, rows) }));
    return { event, instruments };
  }

  #instances(event: string, instrument: string, rows: readonly RecordRow[]): InstanceDocument<unknown>[] {
    const isOwnSeries = this.structure.repeatsInstrument(event, instrument);
    return rows
      .filter((row) => textOf(row, 'redcap_repeat_instrument') === (isOwnSeries ? instrument : ''))
      .filter((row) => isOwnSeries || this.#begunOn(row).has(instrument))
      .map((row) => ({
        instance: Number(textOf(row, 'redcap_repeat_instance')) || null,
        values: this.#valuesOn(row).get(instrument) ?? {},
      }))
      .sort((a, b) => (a.instance ?? 0) - (b.instance ?? 0));
  }

  /** Returns the forms that were begun. One that was not has no status and no values, but its checkboxes are 0. */
  #begunOn(row: RecordRow): ReadonlySet<string> {
    const known = this.#begun.get(row);
    if (known !== undefined) return known;
    const begun = new Set<string>();
    for (const name of Object.keys(row)) {
      const instrument = this.#instrumentOf(name);
      if (instrument === undefined || begun.has(instrument)) continue;
      const column = this.structure.dictionary.column(name);
      // Without a column of its own, it is the missing data code of a checkbox field.
      const isChoice = column === undefined || column.choice !== undefined;
      if (isChoice ? textOf(row, name) === '1' : textOf(row, name) !== '') begun.add(instrument);
    }
    this.#begun.set(row, begun);
    return begun;
  }

  #valuesOn(row: RecordRow): ReadonlyMap<string, Record<string, unknown>> {
    const known = this.#values.get(row);
    if (known !== undefined) return known;
    const values = new Map<string, Record<string, unknown>>();
    for (const [name, value] of Object.entries(this.convert(row))) {
      const instrument = this.#instrumentOf(name);
      if (instrument === undefined) continue;
      const own = values.get(instrument) ?? {};
      values.set(instrument, own);
      own[name] = value;
    }
    this.#values.set(row, values);
    return values;
  }

  /**
   * @returns the instrument of a column or of a whole checkbox field; undefined for the record id and columns added by
   *   REDCap
   */
  #instrumentOf(name: string): string | undefined {
    if (!this.#instruments.has(name)) this.#instruments.set(name, this.#findInstrument(name));
    return this.#instruments.get(name);
  }

  #findInstrument(name: string): string | undefined {
    const { dictionary } = this.structure;
    if (name === dictionary.recordIdField?.name) return undefined;
    const [, field = name] = /^(.+?)___/.exec(name) ?? [];
    return (dictionary.column(name) ?? dictionary.field(field))?.instrument;
  }
}

function textOf(row: RecordRow, column: string): string {
  return `${cellOf(row, column) ?? ''}`;
}

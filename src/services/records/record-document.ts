import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import type {
  EventDocument,
  InstanceDocument,
  RecordDocument,
} from '../../gateways/redcap/record-document.js';
import type { OutputRow } from '../row-output/row-bytes.js';

/** Creates nested documents from the rows of records. */
export class RecordNesting {
  readonly #structure: ProjectStructure;
  readonly #convert: (row: RecordRow) => OutputRow;
  /** Each row is converted once, because converting reports what does not fit. */
  readonly #converted = new WeakMap<RecordRow, OutputRow>();

  /** @param convert converts the values of a row, or returns them unchanged */
  constructor(structure: ProjectStructure, convert: (row: RecordRow) => OutputRow) {
    this.#structure = structure;
    this.#convert = convert;
  }

  /** @param rows all rows of the record, in any order */
  document(record: string, rows: readonly RecordRow[]): RecordDocument<unknown> {
    const group = rows.map((row) => row['redcap_data_access_group']).find((name) => name !== undefined);
    const events = this.#structure.eventNames
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
    const names = new Set(rows.flatMap((row) => Object.keys(row)).map((name) => this.#instrumentOf(name)));
    const instruments = this.#structure
      .instrumentsAt(event)
      .filter((instrument) => names.has(instrument))
      .map((instrument) => ({ instrument, instances: this.#instances(event, instrument, rows) }));
    return { event, instruments };
  }

  #instances(event: string, instrument: string, rows: readonly RecordRow[]): InstanceDocument<unknown>[] {
    const isOwnSeries = this.#structure.repeatsInstrument(event, instrument);
    return rows
      .filter((row) => textOf(row, 'redcap_repeat_instrument') === (isOwnSeries ? instrument : ''))
      .filter((row) => isOwnSeries || this.#isBegun(instrument, row))
      .map((row) => ({
        instance: Number(textOf(row, 'redcap_repeat_instance')) || null,
        values: this.#values(instrument, row),
      }))
      .sort((a, b) => (a.instance ?? 0) - (b.instance ?? 0));
  }

  /** Returns whether a form was begun. One that was not has no status and no values, but its checkboxes are 0. */
  #isBegun(instrument: string, row: RecordRow): boolean {
    return Object.keys(row).some((name) => {
      if (this.#instrumentOf(name) !== instrument) return false;
      const column = this.#structure.dictionary.column(name);
      // Without a column of its own, it is the missing data code of a checkbox field.
      const isChoice = column === undefined || column.choice !== undefined;
      return isChoice ? textOf(row, name) === '1' : textOf(row, name) !== '';
    });
  }

  #values(instrument: string, row: RecordRow): Record<string, unknown> {
    const values = this.#converted.get(row) ?? this.#convert(row);
    this.#converted.set(row, values);
    return Object.fromEntries(
      Object.entries(values).filter(([name]) => this.#instrumentOf(name) === instrument),
    );
  }

  /**
   * @returns the instrument of a column or of a whole checkbox field; undefined for the record id and columns added by
   *   REDCap
   */
  #instrumentOf(name: string): string | undefined {
    const { dictionary } = this.#structure;
    if (name === dictionary.recordIdField?.name) return undefined;
    const [, field = name] = /^(.+?)___/.exec(name) ?? [];
    return (dictionary.column(name) ?? dictionary.field(field))?.instrument;
  }
}

function textOf(row: RecordRow, column: string): string {
  return `${row[column] ?? ''}`;
}

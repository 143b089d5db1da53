import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/record-row.js';
import type { InstanceDocument, RecordDocument } from '../../gateways/redcap/record-document.js';
import type { OutputRow } from '../../records/formats/row-bytes.js';
import { textOf } from '../../records/rules/record-view.js';

/** A row, sorted by instrument: once, because converting reports what does not fit. */
interface SortedRow {
  readonly event: string;
  readonly repeating: string;
  readonly instance: number | null;
  /** The instruments that have columns on the row. */
  readonly instruments: ReadonlySet<string | undefined>;
  /** The forms that were begun. One that was not has no status and no values, but its checkboxes are 0. */
  readonly begun: ReadonlySet<string | undefined>;
  readonly values: ReadonlyMap<string | undefined, Record<string, unknown>>;
}

/**
 * Creates a nested document from the rows of a record.
 *
 * @param rows all rows of the record, in any order
 * @param convert converts the values of a row, or returns them unchanged
 */
export function nestedDocument(
  structure: ProjectStructure,
  record: string,
  rows: readonly RecordRow[],
  convert: (row: RecordRow) => OutputRow,
): RecordDocument<unknown> {
  const instrumentOf = instrumentsByColumn(structure);
  const sorted = rows.map((row) => sortedRow(structure, row, convert, instrumentOf));
  const group = rows.map((row) => row['redcap_data_access_group']).find((name) => name !== undefined);
  const events = structure.eventNames.flatMap((event) => {
    const there = sorted.filter((row) => row.event === event);
    if (there.length === 0) return [];
    const instruments = structure
      .instrumentsAt(event)
      .filter((instrument) => there.some((row) => row.instruments.has(instrument)))
      .map((instrument) => {
        const isOwnSeries = structure.repeatsInstrument(event, instrument);
        const instances = there
          .filter(({ repeating }) => repeating === (isOwnSeries ? instrument : ''))
          .filter(({ begun }) => isOwnSeries || begun.has(instrument))
          .map(({ instance, values }): InstanceDocument<unknown> => ({
            instance,
            values: values.get(instrument) ?? {},
          }))
          .sort((a, b) => (a.instance ?? 0) - (b.instance ?? 0));
        return { instrument, instances };
      });
    return [{ event, instruments }];
  });
  return { record, ...(group !== undefined && { dag: `${group}` }), events };
}

function sortedRow(
  { dictionary }: ProjectStructure,
  row: RecordRow,
  convert: (row: RecordRow) => OutputRow,
  instrumentOf: (column: string) => string | undefined,
): SortedRow {
  const names = Object.keys(row);
  const isBegunBy = (name: string): boolean => {
    const column = dictionary.column(name);
    // Without a column of its own, it is the missing data code of a checkbox field.
    const isChoice = column === undefined || column.choice !== undefined;
    return isChoice ? textOf(row, name) === '1' : textOf(row, name) !== '';
  };
  const values = new Map<string | undefined, Record<string, unknown>>();
  for (const [name, value] of Object.entries(convert(row))) {
    const instrument = instrumentOf(name);
    const own = values.get(instrument) ?? {};
    values.set(instrument, own);
    own[name] = value;
  }
  return {
    event: textOf(row, 'redcap_event_name'),
    repeating: textOf(row, 'redcap_repeat_instrument'),
    instance: Number(textOf(row, 'redcap_repeat_instance')) || null,
    instruments: new Set(names.map(instrumentOf)),
    begun: new Set(names.filter(isBegunBy).map(instrumentOf)),
    values,
  };
}

/** Returns the instrument of a column or of a whole checkbox field; undefined for the record id and what REDCap adds. */
function instrumentsByColumn({ dictionary }: ProjectStructure): (column: string) => string | undefined {
  const known = new Map([[dictionary.recordIdField?.name ?? '', undefined as string | undefined]]);
  return (name) => {
    if (known.has(name)) return known.get(name);
    const [, field = name] = /^(.+?)___/.exec(name) ?? [];
    const instrument = (dictionary.column(name) ?? dictionary.field(field))?.instrument;
    known.set(name, instrument);
    return instrument;
  };
}

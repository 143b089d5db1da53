import type { ExportColumn } from '../domain/dictionary/export-column.js';
import type { Field } from '../domain/dictionary/field.js';
import { UpstreamInvalidError } from '../domain/errors/upstream-errors.js';
import type { OpenRecordsOptions } from '../gateways/redcap/crf-client.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { rowBytes } from '../records/formats/row-bytes.js';
import { textOf } from '../records/rules/record-view.js';
import type { Cell, RowColumns, WrittenColumn } from './row-columns.js';
import { blankRow, EVENT, REPEAT_INSTANCE, REPEAT_INSTRUMENT } from './view-rows.js';
import { nameOf } from './visible-selection.js';

/** Writes the rows of a view in the form that a caller asked for. */
export interface RowWriter {
  /** The names of the columns, known once rows were written. */
  readonly columns: readonly string[];
  /** The header of CSV. */
  readonly headings: readonly string[];
  /** Returns what is exported of the rows of one record. */
  write(rows: readonly RecordRow[]): RecordRow[];
}

/** Writes one row for each place of a record, with all columns in each. @see docs/protocol/redcap.md 4.2, 4.3 (wire) */
export class FlatRows implements RowWriter {
  #written: readonly WrittenColumn[] | undefined;
  #width = 0;
  /** Has the columns in order: a copy takes half the time of a row that gets them one by one. */
  #blank: Record<string, Cell> = {};
  readonly #instruments: ReadonlySet<string>;

  constructor(private readonly all: RowColumns) {
    this.#instruments = new Set(all.asked.map(({ instrument }) => instrument));
  }

  get columns(): readonly string[] {
    return (this.#written ?? []).map(({ name }) => name);
  }

  get headings(): readonly string[] {
    const hasLabels = this.all.options.rawOrLabelHeaders === 'label';
    return (this.#written ?? []).map(({ name, heading }) => (hasLabels ? heading : name));
  }

  write(rows: readonly RecordRow[]): RecordRow[] {
    const [first] = rows;
    if (first === undefined) return [];
    const { all } = this;
    const { idName, selection } = all;
    if (this.#written === undefined) {
      const names = Object.keys(first);
      this.#width = names.length;
      this.#written = all.options.combineCheckboxOptions ? this.#combined(names) : this.#single(names);
      this.#blank = Object.fromEntries(this.columns.map((name) => [name, '']));
    }
    const stay = selection.isWhole ? rows : rows.filter((row) => this.#stays(row));
    // A record has a row, even if it is blank.
    const isBlank = stay.length === 0 && selection.hasId;
    return (isBlank ? [blankRow(first, idName, textOf(first, EVENT))] : stay).map((row) => this.#row(row));
  }

  /** Whether an export of these columns has the row. */
  #stays(row: RecordRow): boolean {
    const on = this.all.places.formsOn(row);
    if ([...this.#instruments].some((instrument) => on.has(instrument))) return true;
    if (textOf(row, REPEAT_INSTRUMENT) !== '') return false;
    const { selection, shown } = this.all;
    return selection.hasId || (shown.isLongitudinal && textOf(row, REPEAT_INSTANCE) === '');
  }

  #row(row: RecordRow): RecordRow {
    if (Object.keys(row).length !== this.#width) throw new UpstreamInvalidError(OTHER_COLUMNS);
    const on = this.all.places.formsOn(row);
    const written = { ...this.#blank };
    for (const { name, instrument, read } of this.#written ?? [])
      written[name] = read(row, instrument !== undefined && on.has(instrument));
    return written;
  }

  #single(names: readonly string[]): WrittenColumn[] {
    return names.flatMap((name) => this.all.of(name) ?? []);
  }

  /** A checkbox field is one column, in which the checked choices are joined by commas (choice). */
  #combined(names: readonly string[]): WrittenColumn[] {
    const { asked, options } = this.all;
    const seen = new Set<Field>();
    return names.flatMap((name) => {
      const { field, choice } = asked.find((column) => column.name === name) ?? {};
      if (field === undefined || choice === undefined) return this.all.of(name) ?? [];
      if (seen.has(field)) return [];
      seen.add(field);
      const parts = asked.filter((column) => column.field === field && names.includes(column.name));
      const word = options.rawOrLabel === 'label' ? 'label' : 'code';
      const read = (row: RecordRow): string =>
        parts
          .filter((column) => cellOf(row, column.name) === '1')
          .map((column) => column.choice?.[word])
          .join(',');
      return [{ name: field.name, heading: field.label, instrument: field.instrument, read }];
    });
  }
}

/** Writes one row for each value: the record, the place, the field and the value. @see docs/protocol/redcap.md 4.5 (client) */
export class EavRows implements RowWriter {
  readonly columns: readonly string[];
  readonly #values: readonly {
    readonly field: string;
    readonly instrument: string;
    readonly read: (row: RecordRow) => string;
  }[];

  constructor(private readonly all: RowColumns) {
    const { selection, options, asked } = all;
    this.columns = ['record', ...all.place, 'field_name', 'value'];
    const order = new Map(selection.names.map((name, at) => [name, at]));
    const at = (column: ExportColumn): number => order.get(nameOf(column)) ?? 0;
    this.#values = [...asked]
      .sort((left, right) => at(left) - at(right))
      .map(({ name, instrument, field, choice }) => {
        const text = options.rawOrLabel === 'label' ? choice?.label : choice?.code;
        const { read } = all.of(name) ?? {};
        return {
          field: field?.name ?? name,
          instrument,
          read: (row) => {
            if (choice !== undefined) return cellOf(row, name) === '1' ? (text ?? '') : '';
            // A form that was never saved has no status.
            return textOf(row, name) === '' || read === undefined ? '' : `${read(row, true)}`;
          },
        };
      });
  }

  get headings(): readonly string[] {
    return this.columns;
  }

  write(rows: readonly RecordRow[]): RecordRow[] {
    const { all, columns } = this;
    const { idName, selection } = all;
    const events = new Set<string>();
    return rows.flatMap((row) => {
      const id = textOf(row, idName);
      const event = textOf(row, EVENT);
      const isInstance = textOf(row, REPEAT_INSTANCE) !== '';
      const lines: Cell[][] = [];
      // In a whole export the values of an instance name its record and event already.
      if (selection.hasId && !(selection.isWhole && isInstance) && !events.has(event)) {
        events.add(event);
        lines.push([id, ...all.placeOf(blankRow(row, idName, event)), idName, id]);
      }
      const on = all.places.formsOn(row);
      const place = all.placeOf(row);
      for (const { field, instrument, read } of this.#values) {
        const value = on.has(instrument) ? read(row) : '';
        if (value !== '') lines.push([id, ...place, field, value]);
      }
      return lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
    });
  }
}

const OTHER_COLUMNS = 'The rows of an export of REDCap have different columns.';

/** Writes rows as REDCap does. */
export function writtenRows(
  groups: AsyncIterable<readonly RecordRow[]>,
  writer: RowWriter,
  form: Pick<OpenRecordsOptions, 'format' | 'csvDelimiter'>,
): AsyncGenerator<Buffer, void, undefined> {
  const rows = async function* (): AsyncGenerator<RecordRow, void, undefined> {
    for await (const group of groups) yield* group;
  };
  return rowBytes(rows(), {
    ...form,
    columns: () => writer.columns,
    headings: () => writer.headings,
    hasEnvelope: false,
    isAsRedcap: true,
  });
}

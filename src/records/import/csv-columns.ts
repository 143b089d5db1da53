import { say } from '../../errors/sentences.js';
import type { ColumnCheck } from './column-checks.js';
import type { CsvCells } from './csv-cells.js';
import type { InputErrors } from './input-errors.js';
import { isForbiddenName, type RowPlace, type SentRow } from './input-item.js';
import { isFieldName } from '../../identifiers/field-name.js';

/** A column of a CSV, by position. */
export interface CsvColumn {
  readonly name: string;
  /**
   * The JSON between the value of the column sent before this one and its own: `","age":"`, or `{"age":"` for the
   * first.
   */
  readonly lead: Uint8Array;
  /** Undefined for a column that an import must not have. */
  readonly check: ColumnCheck | undefined;
}

/** The JSON after the value of the last column that is sent. */
export const ROW_END = Buffer.from('"}');

/** The header of a CSV. */
export interface CsvShape {
  readonly columns: readonly CsvColumn[];
  /** The cells of the header: the columns, and empty cells after the last of them. */
  readonly cellCount: number;
  /** The index of the record id column; -1 if there is none. */
  readonly idIndex: number;
  /** The indexes of `KEY_COLUMNS`. */
  readonly keyIndexes: readonly number[];
}

/**
 * Reads the header of a CSV. Cells without a name after the last one with a name are no columns: Excel writes them for
 * cells that were once used.
 *
 * @throws {MalformedRequestError} a name is reserved or occurs twice
 */
export function csvColumns(
  cells: CsvCells,
  place: RowPlace,
  checkOf: (name: string) => ColumnCheck | undefined,
  errors: InputErrors,
): readonly CsvColumn[] {
  const seen = new Map<string, number>();
  const columns: CsvColumn[] = [];
  let opening = '{';
  const count = namedCount(cells);
  for (let index = 0; index < count; index++) {
    const name = cells.text(index);
    const first = seen.get(name);
    const shown = isFieldName(name) ? name : `column ${index + 1}`;
    if (isForbiddenName(name)) throw errors.row(place, say('reserved_name', { column: shown }));
    if (first !== undefined) {
      // An export with labelled headers has the same label for the status of every form.
      const code = name === '' ? 'nameless_columns' : isFieldName(name) ? 'name_twice' : 'label_twice';
      throw errors.row(place, say(code, { first: first + 1, second: index + 1 }));
    }
    seen.set(name, index);
    const check = checkOf(name);
    const isSent = check !== undefined && check.ignored === undefined;
    columns.push({ name, lead: Buffer.from(`${opening}${JSON.stringify(name)}:"`), check });
    if (isSent) opening = '",';
  }
  return columns;
}

function namedCount(cells: CsvCells): number {
  let { count } = cells;
  while (count > 0 && cells.start(count - 1) === cells.end(count - 1)) count--;
  return count;
}

/** Returns a row of a CSV by its columns. */
export function sentRowOf(columns: readonly CsvColumn[], cells: CsvCells): SentRow {
  const row: Record<string, string> = {};
  for (const [index, { name }] of columns.entries()) row[name] = cells.text(index);
  return row;
}

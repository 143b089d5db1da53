import { say } from '../../domain/errors/sentences.js';
import { keptApart } from './header-labels.js';
import type { InputErrors } from './input-errors.js';
import { isForbiddenName, type RowPlace, type SentRow } from './input-item.js';
import { isFieldName } from '../../domain/identifiers/names.js';

/** The header of a CSV. */
export class CsvHeader {
  /** The names of the columns, in order. */
  readonly columns: readonly string[];
  readonly #cellCount: number;
  /** Has the columns in order: a copy takes half the time of a row that gets them one by one. */
  readonly #blank: Readonly<Record<string, string>>;

  /**
   * Reads the header. Cells without a name after the last one with a name are no columns: Excel writes them for cells
   * that were once used.
   *
   * @param hasLabels whether names may occur twice, as labels do
   * @throws {MalformedRequestError} a name is reserved or occurs twice
   */
  constructor(
    cells: readonly string[],
    place: RowPlace,
    private readonly errors: InputErrors,
    hasLabels = false,
  ) {
    this.#cellCount = cells.length;
    const columns = cells.slice(0, cells.findLastIndex((name) => name !== '') + 1);
    this.columns = hasLabels ? keptApart(columns) : columns;
    // The first cell of REDCap's template with records in columns, whose other cells are often equal.
    if (/^variable *\/ *field name$/i.test(this.columns[0] ?? ''))
      throw errors.row(place, say('records_in_columns'));
    const seen = new Map<string, number>();
    for (const [index, name] of this.columns.entries()) {
      const first = seen.get(name);
      const shown = isFieldName(name) ? name : `column ${index + 1}`;
      if (isForbiddenName(name)) throw errors.row(place, say('reserved_name', { column: shown }));
      if (first !== undefined) {
        // An export with labelled headers has the same label for the status of every form.
        const code = name === '' ? 'nameless_columns' : isFieldName(name) ? 'name_twice' : 'label_twice';
        throw errors.row(place, say(code, { first: first + 1, second: index + 1 }));
      }
      seen.set(name, index);
    }
    this.#blank = Object.fromEntries(this.columns.map((name) => [name, '']));
  }

  /** Returns a row by its columns. @throws {MalformedRequestError} it has other cells than the header */
  rowOf(cells: readonly string[], place: RowPlace): SentRow {
    const { columns } = this;
    if (cells.length < columns.length || cells.length > this.#cellCount)
      throw this.errors.row(place, say('other_cell_count', { cells: cells.length, header: this.#cellCount }));
    const row = { ...this.#blank };
    for (const [index, text] of cells.entries()) {
      const name = columns[index];
      if (name !== undefined) row[name] = text;
      else if (text !== '') throw this.errors.row(place, say('value_without_name', { column: index + 1 }));
    }
    return row;
  }
}

import { say } from '../../../errors/sentences.js';
import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import type { InputErrors } from '../input-errors.js';
import { MAX_COLUMNS } from '../input-limits.js';

/** Half of those that a sheet of Excel has: the library takes minutes for more. */
const MAX_ROWS = 500_000;

/** Number of characters that are read at a time, before others have their turn. */
const CHUNK = 1 << 20;

/**
 * Checks where the cells of a sheet are. The library that reads it afterwards builds every row up to the last one, with
 * every cell up to the last column. XML that is not a sheet passes.
 *
 * @param maxCells the number of cells in the rectangle that holds all values
 * @throws {MalformedRequestError} the sheet has too many rows, columns or cells
 * @throws {Error} the XML is not well-formed, or declares a document type
 */
export async function checkCells(xml: Buffer, maxCells: number, errors: InputErrors): Promise<void> {
  const cells = new CellPlaces(maxCells, errors);
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('A workbook declares no document type.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    // As for the library: any prefix may stand before a name.
    const places = Object.entries(attributes).filter(([attribute]) => localName(attribute) === 'r');
    cells.open(
      localName(name),
      places.map(([, place]) => place),
    );
  });
  const text = xml.toString('utf8');
  for (let at = 0; at < text.length; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK));
    await setImmediate();
  }
  parser.close();
}

class CellPlaces {
  #isSheet = false;
  #rowElements = 0;
  #row = 0;
  #column = 0;
  /** The last row and column with a value. */
  #lastRow = 0;
  #lastColumn = 0;

  constructor(
    private readonly maxCells: number,
    private readonly errors: InputErrors,
  ) {}

  /** @param places the values of the attribute `r` */
  open(tag: string, places: readonly string[]): void {
    if (tag === 'sheetData') this.#isSheet = true;
    else if (!this.#isSheet) return;
    else if (tag === 'row') this.#openRow(places);
    else if (tag === 'c') this.#openCell(places);
    else if (tag === 'v' || tag === 'is') this.#addValue();
  }

  #openRow(places: readonly string[]): void {
    this.#rowElements += 1;
    this.#row = Math.max(this.#row + 1, ...places.map((place) => Number(/^\d{1,7}$/.exec(place) ?? NaN)));
    this.#refuseOutside(Math.max(this.#row, this.#rowElements));
  }

  #openCell(places: readonly string[]): void {
    for (const place of places) {
      const [, letters = '', row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(place) ?? [];
      this.#column = [...letters].reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0);
      this.#row = Math.max(this.#row, Number(row));
    }
    this.#refuseOutside(this.#row);
  }

  /** @param row NaN for a place that is none */
  #refuseOutside(row: number): void {
    if (!(row <= MAX_ROWS)) throw this.errors.whole(OUTSIDE);
  }

  #addValue(): void {
    this.#lastRow = Math.max(this.#lastRow, this.#row);
    this.#lastColumn = Math.max(this.#lastColumn, this.#column);
    if (this.#column > MAX_COLUMNS) throw this.errors.whole(OUTSIDE);
    if (this.#lastRow * this.#lastColumn > this.maxCells)
      throw this.errors.whole(say('cells_apart', { cells: this.maxCells }));
  }
}

const OUTSIDE = say('cells_outside', { rows: MAX_ROWS, columns: MAX_COLUMNS });

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

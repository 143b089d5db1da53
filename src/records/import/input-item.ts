import type { RowPlace } from '../../gateways/redcap/crf-client.js';
import type { CsvCells } from './csv-cells.js';

export type { RowPlace };

/** What the parsers of the three formats yield, in input order. */
export type InputItem =
  | JsonRow
  /** A row of a CSV, valid only until the next item is requested. */
  | { readonly kind: 'cells'; readonly place: RowPlace; readonly cells: CsvCells }
  /** An option beside the records of a JSON body. */
  | { readonly kind: 'option'; readonly name: string; readonly value: unknown };

/** The bytes of one JSON object. It is unparsed, and has a limited depth and number of properties. */
export interface JsonRow {
  readonly kind: 'object';
  readonly place: RowPlace;
  readonly bytes: Buffer;
  /** Whether the `RowReader` has read the row. */
  readonly isRead: boolean;
}

/**
 * Reads a JSON row at an offset, and keeps its details until it arrives as the next item. A valid row is thus scanned
 * only once, and not by both its parser and its checker.
 *
 * @returns the offset at which the row ends; -1 for a row that has to be parsed
 */
export type RowReader = (bytes: Buffer, from: number) => number;

/** A row of any format. */
export type InputRow = Exclude<InputItem, { readonly kind: 'option' }>;

/** Parses the bytes of an import. The time it takes is proportional to the number of bytes, whatever they are. */
export interface InputParser {
  /** @returns the items completed by these bytes; use each before requesting the next */
  push(piece: Buffer): Iterable<InputItem>;
  /** @returns the items completed by the end of the input @throws {MalformedRequestError} the input is cut short */
  end(): Iterable<InputItem>;
}

/** The value of one cell, as sent by the client. */
export type CellValue = string | number | boolean | null;

/**
 * One row as sent by the client. Its own properties have any names except that of `isForbiddenName`. What it inherits has
 * names of its own (`constructor`), so it is read with `Object.hasOwn` or by its keys.
 */
export type SentRow = Readonly<Record<string, CellValue>>;

/**
 * Returns whether a name would set the prototype of an object (IN-04). No name in a project is like it: a field may be
 * called `constructor` or `prototype`, which are names like any other.
 */
export function isForbiddenName(name: string): boolean {
  return name === '__proto__';
}

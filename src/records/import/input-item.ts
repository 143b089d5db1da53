import type { RowPlace } from '../../gateways/redcap/crf-client.js';

export type { RowPlace };

/** A row of any format. */
export interface InputRow {
  readonly place: RowPlace;
  /** The names of its columns, in the order of the input. */
  readonly columns: readonly string[];
  readonly row: SentRow;
}

/** Parses the bytes of an import. The time it takes is proportional to the number of bytes, whatever they are. */
export interface InputParser {
  /** @returns the rows completed by these bytes */
  push(piece: Buffer): Iterable<InputRow>;
  /** @returns the rows completed by the end of the input @throws {MalformedRequestError} the input is cut short */
  end(): Iterable<InputRow>;
}

/** The value of one cell, as sent by the client. */
export type CellValue = string | number | boolean | null;

/**
 * One row as sent by the client: scalars, unless its values are typed. Its own properties have any names except that of
 * `isForbiddenName`. What it inherits has names of its own (`constructor`), so it is read with `Object.hasOwn` or by its
 * keys.
 */
export type SentRow = Readonly<Record<string, CellValue>>;

/**
 * Returns whether a name would set the prototype of an object (IN-04). No name in a project is like it: a field may be
 * called `constructor` or `prototype`, which are names like any other.
 */
export function isForbiddenName(name: string): boolean {
  return name === '__proto__';
}

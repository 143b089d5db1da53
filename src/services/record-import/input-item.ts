import type { CsvCells } from './csv-cells.js';

/** Where a row stands in the input. */
export interface RowPlace {
  /** The number of the row, from 1; the header of a CSV is none. */
  readonly row: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** What the parsers of the three formats give, in the order in which it stands. */
export type InputItem =
  | JsonRow
  /** A row of a CSV: good until the next item is asked for. */
  | { readonly kind: 'cells'; readonly place: RowPlace; readonly cells: CsvCells }
  /** An option beside the records of a JSON body. */
  | { readonly kind: 'option'; readonly name: string; readonly value: unknown };

/** The bytes of one JSON object, which nobody has parsed; flat, and of a bounded number of properties. */
export interface JsonRow {
  readonly kind: 'object';
  readonly place: RowPlace;
  readonly bytes: Buffer;
  /** Whether the `RowReader` has read it. */
  readonly isRead: boolean;
}

/**
 * Reads a row of JSON that begins at a place, and knows more of it when it comes as the next item: a row that is in order
 * is gone through once, and not once by its parser and again by its checker.
 *
 * @returns where it ends; -1 for a row that has to be parsed
 */
export type RowReader = (bytes: Buffer, from: number) => number;

/** A row of any format. */
export type InputRow = Exclude<InputItem, { readonly kind: 'option' }>;

/** Takes the bytes of an import apart. Costs time in proportion to the bytes it is given, whatever they are. */
export interface InputParser {
  /** @returns what is complete with these bytes; each item is to be used before the next is asked for */
  push(piece: Buffer): Iterable<InputItem>;
  /** @returns what the end of the input completes @throws {MalformedRequestError} the input is cut short */
  end(): Iterable<InputItem>;
}

/** The value of one cell, as it was sent. */
export type CellValue = string | number | boolean | null;

/** One row as it was sent. Its properties are its own: a cell may have any name but those of `isForbiddenName`. */
export type SentRow = Readonly<Record<string, CellValue>>;

/** The names that have a meaning of their own in JavaScript; refused at any place (IN-04). */
export function isForbiddenName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

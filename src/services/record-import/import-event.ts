/** The value of one cell, as it was sent. */
export type CellValue = string | number | boolean | null;

/** One row as it was sent. Its properties are its own: a cell may have any name but those of `isForbiddenName`. */
export type SentRow = Readonly<Record<string, CellValue>>;

/** What the parsers of the three formats give: rows in order, and with JSON the options beside them. */
export type ImportEvent =
  | {
      readonly kind: 'row';
      readonly row: SentRow;
      /** About as many bytes as the row takes in memory. */
      readonly bytes: number;
    }
  | { readonly kind: 'option'; readonly name: string; readonly value: unknown };

/** The names that have a meaning of their own in JavaScript; refused at any place (IN-04). */
export function isForbiddenName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

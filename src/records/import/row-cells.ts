import type { ProblemList } from './problem-list.js';

/** The cells of a row that is sent, by column. */
export type Cells = Record<string, string>;

/** Creates an object without prototype: a column may have any name (IN-04). */
export function emptyCells(): Cells {
  return Object.create(null) as Cells;
}

/**
 * Returns the cells as JSON. Reports lone surrogates, which only JSON escapes can produce: REDCap would refuse the
 * whole call.
 */
export function jsonOf(cells: Cells, problems: ProblemList): string {
  const json = JSON.stringify(cells);
  if (json.includes('\\ud')) {
    for (const [name, value] of Object.entries(cells)) {
      if (LONE_SURROGATE.test(value))
        problems.add(name, 'must be text: it contains half of a surrogate pair');
    }
  }
  return json;
}

const LONE_SURROGATE = /\p{Cs}/u;

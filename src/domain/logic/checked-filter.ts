import { Logic } from './builder.js';
import type { LogicNote } from './logic-problem.js';

/**
 * Filter logic that was checked where an export begins. It travels as this type, so that none of the calls of the export
 * checks it again.
 */
export class CheckedFilter extends Logic {
  readonly #text: string;
  /** Parts that could not be checked or are probably mistakes. */
  readonly notes: readonly LogicNote[];

  /** @param text as the caller wrote it, which is what is sent */
  constructor(text: string, notes: readonly LogicNote[]) {
    super(NOT_READ_AGAIN);
    this.#text = text;
    this.notes = notes;
  }

  override toString(): string {
    return this.#text;
  }
}

const NOT_READ_AGAIN = { kind: 'text', value: '', start: 0, end: 0 } as const;

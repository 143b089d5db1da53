/** Why no import can store a column. */
export type IgnoredReason = 'calculated' | 'file' | 'descriptive' | 'survey';

/** A column that was left out of what was sent. */
export interface IgnoredColumn {
  readonly field: string;
  readonly reason: IgnoredReason;
  /** How many values that are not blank stood in it. */
  readonly values: number;
}

/** Counts what is left out. What a row brings counts once the row is known to be valid. */
export class IgnoredColumns {
  readonly #counts = new Map<string, { readonly reason: IgnoredReason; values: number }>();
  readonly #ofRow: { values: number }[] = [];

  /** @returns the columns that were met, those whose values were all blank among them */
  get columns(): readonly IgnoredColumn[] {
    return [...this.#counts].map(([field, { reason, values }]) => ({ field, reason, values }));
  }

  /** Takes a value of the row under way. */
  add(field: string, reason: IgnoredReason, isBlank: boolean): void {
    let count = this.#counts.get(field);
    if (count === undefined) this.#counts.set(field, (count = { reason, values: 0 }));
    if (!isBlank) this.#ofRow.push(count);
  }

  /** The row under way is valid. */
  endRow(): void {
    for (const count of this.#ofRow) count.values++;
    this.#ofRow.length = 0;
  }

  /** The row under way is read again, or not at all. */
  dropRow(): void {
    this.#ofRow.length = 0;
  }
}

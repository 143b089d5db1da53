/** Why an import cannot store a column. */
export type IgnoredReason = 'calculated' | 'file' | 'descriptive' | 'survey';

/** A column that was not sent. */
export interface IgnoredColumn {
  readonly field: string;
  readonly reason: IgnoredReason;
  /** The number of its non-blank values. */
  readonly values: number;
}

/** Counts the values that are left out. Those of a row are added once the row is known to be valid. */
export class IgnoredColumns {
  readonly #counts = new Map<string, { readonly reason: IgnoredReason; values: number }>();
  readonly #ofRow: { values: number }[] = [];

  /** @returns the ignored columns that occurred, including those with only blank values */
  get columns(): readonly IgnoredColumn[] {
    return [...this.#counts].map(([field, { reason, values }]) => ({ field, reason, values }));
  }

  /** Adds a value of the current row. */
  add(field: string, reason: IgnoredReason, isBlank: boolean): void {
    let count = this.#counts.get(field);
    if (count === undefined) this.#counts.set(field, (count = { reason, values: 0 }));
    if (!isBlank) this.#ofRow.push(count);
  }

  /** Counts the values of the current row, which is valid. */
  endRow(): void {
    for (const count of this.#ofRow) count.values++;
    this.#ofRow.length = 0;
  }

  /** Discards the values of the current row, which will be read again or not sent. */
  dropRow(): void {
    this.#ofRow.length = 0;
  }
}

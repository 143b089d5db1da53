/** Selects the beginning of a list. */
export interface LimitQuery {
  /**
   * Only the first rows, this many: of the log, the newest entries.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 10
   */
  readonly limit?: number;
}

/** Selects one page of a list. Not with `limit`. */
export interface PageQuery {
  /**
   * The number of entries per page: of records with all their rows, in an export. 100 by default if `cursor` is given.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The end of the previous page, as given in `next`, which stands in its JSON, and in its `Link` header.
   * @pattern ^[A-Za-z0-9_-]+$ must be the cursor of the page before, unchanged
   * @maxLength 4000
   */
  readonly cursor?: string;
}

/** Yields the first rows, as many as a limit permits. */
export async function* firstRows<Row>(
  rows: AsyncIterable<Row>,
  limit = Infinity,
): AsyncGenerator<Row, void, undefined> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    if (++count === limit) return;
  }
}

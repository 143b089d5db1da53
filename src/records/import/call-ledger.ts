import type { RowRange } from '../../domain/errors/upstream-errors.js';
import { mayHaveArrived } from '../../gateways/redcap/call-errors.js';

/** The rows of one call to REDCap, and the outcome of the call. */
export interface LedgerEntry extends RowRange {
  state: 'under way' | 'stored' | 'failed';
  error?: unknown;
  /** Whether the call was made, so that REDCap may have stored its rows even if it failed. */
  isSent: boolean;
  /** Ids that this call returned and no earlier call did. */
  ids: readonly string[];
}

/**
 * Records the outcome of each call of one import. Calls are kept in input order, regardless of the order of their
 * answers. A confirmed call is dropped as soon as all calls before it are confirmed.
 */
export class CallLedger {
  readonly #entries: LedgerEntry[] = [];
  readonly #ids: string[] = [];
  #begunRows: number;
  #confirmedRows: number;

  /** @param firstRow index of the first row that the import sends, from 0 */
  constructor(firstRow = 0) {
    this.#begunRows = firstRow;
    this.#confirmedRows = firstRow;
  }

  /** Index of the first unconfirmed row, from 0. */
  get confirmedRows(): number {
    return this.#confirmedRows;
  }

  /** Ids of the confirmed rows before the first unconfirmed one. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Errors of failed calls, in row order. */
  get failures(): readonly unknown[] {
    return this.#entries.filter(({ state }) => state === 'failed').map(({ error }) => error);
  }

  /** Rows whose call failed but which REDCap may have stored. */
  get doubtful(): readonly RowRange[] {
    return mergeRanges(
      this.#entries.filter(
        ({ state, isSent, error }) => state === 'failed' && isSent && mayHaveArrived(error),
      ),
    );
  }

  /** Confirmed rows after the first unconfirmed row. */
  get storedLater(): readonly RowRange[] {
    return mergeRanges(this.#entries.filter(({ state }) => state === 'stored'));
  }

  /** @param endRow index of the first input row after the call, from 0 */
  begin(endRow: number): LedgerEntry {
    const entry: LedgerEntry = {
      from: this.#begunRows,
      to: endRow,
      state: 'under way',
      isSent: false,
      ids: [],
    };
    this.#begunRows = endRow;
    this.#entries.push(entry);
    return entry;
  }

  /** Notes that REDCap has stored the rows of a call. */
  confirm(entry: LedgerEntry, ids: readonly string[] = []): void {
    entry.state = 'stored';
    entry.ids = ids;
    let [first] = this.#entries;
    while (first?.state === 'stored') {
      this.#confirmedRows = first.to;
      for (const id of first.ids) this.#ids.push(id);
      this.#entries.shift();
      [first] = this.#entries;
    }
  }

  /** Notes that a call has failed. Its rows may have been stored. */
  fail(entry: LedgerEntry, error: unknown): void {
    entry.state = 'failed';
    entry.error = error;
  }
}

/** Merges ranges that touch. */
function mergeRanges(ranges: readonly RowRange[]): RowRange[] {
  const result: RowRange[] = [];
  for (const { from, to } of ranges) {
    const last = result.at(-1);
    if (last?.to === from) result[result.length - 1] = { from: last.from, to };
    else result.push({ from, to });
  }
  return result;
}

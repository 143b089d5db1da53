import type { RowRange } from '../../errors/upstream-errors.js';
import { mayHaveArrived } from '../../gateways/redcap/may-have-arrived.js';

/** The rows of one call to REDCap, and what became of them. */
export interface LedgerEntry extends RowRange {
  state: 'under way' | 'stored' | 'failed';
  error?: unknown;
  /** Ids that REDCap answered and that no earlier call has returned. */
  ids: readonly string[];
}

/**
 * What became of the rows of each call of one import, in the order of the input, whatever the order of the answers. Calls
 * that are confirmed are forgotten as soon as all before them are.
 */
export class CallLedger {
  readonly #entries: LedgerEntry[] = [];
  readonly #ids: string[] = [];
  #begunRows = 0;
  #confirmedRows = 0;

  /** The first row that is not confirmed, from 0. */
  get confirmedRows(): number {
    return this.#confirmedRows;
  }

  /** The ids of the confirmed rows in front. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** What calls have failed with, in the order of their rows. */
  get failures(): readonly unknown[] {
    return this.#entries.filter(({ state }) => state === 'failed').map(({ error }) => error);
  }

  /** The rows whose call has failed although REDCap may have stored them. */
  get doubtful(): readonly RowRange[] {
    return mergeRanges(
      this.#entries.filter(({ state, error }) => state === 'failed' && mayHaveArrived(error)),
    );
  }

  /** The rows that are confirmed behind the first that is not. */
  get storedLater(): readonly RowRange[] {
    return mergeRanges(this.#entries.filter(({ state }) => state === 'stored'));
  }

  /** @param endRow the row of the input behind the last of the call, from 0 */
  begin(endRow: number): LedgerEntry {
    const entry: LedgerEntry = { from: this.#begunRows, to: endRow, state: 'under way', ids: [] };
    this.#begunRows = endRow;
    this.#entries.push(entry);
    return entry;
  }

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

  fail(entry: LedgerEntry, error: unknown): void {
    entry.state = 'failed';
    entry.error = error;
  }
}

/** Ranges that touch are merged. */
function mergeRanges(ranges: readonly RowRange[]): RowRange[] {
  const result: RowRange[] = [];
  for (const { from, to } of ranges) {
    const last = result.at(-1);
    if (last?.to === from) result[result.length - 1] = { from: last.from, to };
    else result.push({ from, to });
  }
  return result;
}

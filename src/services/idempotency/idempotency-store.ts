import type { RowRange } from '../../errors/upstream-errors.js';
import type { ImportOutcome } from '../record-import/import-request.js';

/** What is kept of a request: a hash, counts and positions. No record id, no value (UP-07). */
export interface IdempotentResult {
  /** The hash of the options and of the part of the body that was read. */
  readonly sha256: string;
  /** Length of that part of the body. */
  readonly bodyBytes: number;
  /** Whether the body ended there. */
  readonly isWholeBody: boolean;
  readonly outcome: StoredOutcome;
}

export type StoredOutcome =
  | {
      readonly kind: 'stored';
      readonly count: number;
      readonly batches: number;
      readonly ignored?: ImportOutcome['ignored'];
      readonly repeatedRows?: number;
    }
  | {
      readonly kind: 'interrupted';
      readonly stored: number;
      readonly resumeFrom: number;
      readonly doubtful: readonly RowRange[];
      readonly storedLater: readonly RowRange[];
    };

export type Reservation =
  | { readonly state: 'reserved' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly result: IdempotentResult };

/** Where the outcomes of requests with an Idempotency-Key are kept. Services that run side by side need a shared one. */
export interface IdempotencyStore {
  /**
   * Takes the key, unless somebody has it: of callers at the same moment exactly one is told `reserved`.
   *
   * @throws {OverloadedError} there is no room
   */
  reserve(key: string): Promise<Reservation>;
  /** Keeps the outcome of a key that was reserved. */
  complete(key: string, result: IdempotentResult): Promise<void>;
  /** Gives a reserved key back: nothing was stored. */
  release(key: string): Promise<void>;
}

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
  /** What ran broke off, and must not be run again: nobody knows what it stored. */
  | { readonly state: 'lost' }
  | { readonly state: 'done'; readonly result: IdempotentResult };

/** Where the outcomes of requests with an Idempotency-Key are kept. Services that run side by side need a shared one. */
export interface IdempotencyStore {
  /**
   * Takes the key, unless somebody has it: of several callers at the same moment exactly one gets `reserved`.
   *
   * @throws {OverloadedError} the store is full
   * @throws {SharedStateUnavailableError} the store is away
   */
  reserve(key: string): Promise<Reservation>;
  /**
   * Says that what is done next for a key that was reserved must not be done twice. Should this process end before the
   * outcome is kept, the key is `lost`; without this it is free again.
   *
   * @throws {SharedStateUnavailableError} it cannot be noted
   * @throws {IdempotencyKeyInUseError} somebody else has the key by now
   */
  markOnce(key: string): Promise<void>;
  /** Keeps the outcome of a key that was reserved. Never fails: a store that is away is told later. */
  complete(key: string, result: IdempotentResult): Promise<void>;
  /** Gives a reserved key back: nothing was stored. Never fails, as `complete`. */
  release(key: string): Promise<void>;
}

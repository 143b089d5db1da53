import type { CountedRecords, RowRange } from '../../domain/errors/upstream-errors.js';
import type { ImportOutcome } from '../../records/import/import-request.js';

/** What is stored about a request: a hash, counts and positions, but no record ids or values (UP-07). */
export interface IdempotentResult {
  /** The hash of the options and of the part of the body that was read. */
  readonly sha256: string;
  /** Size of that part of the body. */
  readonly bodyBytes: number;
  /** Whether the body ended there. */
  readonly isWholeBody: boolean;
  readonly outcome: StoredOutcome;
}

export type StoredOutcome =
  | (Omit<ImportOutcome, 'ids'> & { readonly kind: 'stored' })
  | {
      readonly kind: 'interrupted';
      readonly stored: number;
      readonly resumeFrom: number;
      readonly doubtful: readonly RowRange[];
      readonly storedLater: readonly RowRange[];
      readonly counts?: CountedRecords;
    };

export type Reservation =
  | { readonly state: 'reserved' }
  | { readonly state: 'running' }
  /** The work with this key was interrupted. It must not be repeated, because it is unknown what it stored. */
  | { readonly state: 'lost' }
  | { readonly state: 'done'; readonly result: IdempotentResult };

/** Stores the outcomes of requests with an Idempotency-Key. Services that run in parallel need a shared store. */
export interface IdempotencyStore {
  /**
   * Reserves the key if it is free. Of several concurrent callers, exactly one gets `reserved`.
   *
   * @throws {OverloadedError} the store is full
   * @throws {SharedStateUnavailableError} the store is unavailable
   */
  reserve(key: string): Promise<Reservation>;
  /**
   * Records that the next step for a reserved key must not be repeated. If the process ends before the outcome is
   * stored, the key is then `lost`. Without this call it would be free again.
   *
   * @throws {SharedStateUnavailableError} it cannot be recorded
   * @throws {ProblemError} `idempotency_key_in_use`: another caller has reserved the key in the meantime
   */
  markOnce(key: string): Promise<void>;
  /** Stores the outcome of a reserved key. Never fails: an unavailable store is updated later. */
  complete(key: string, result: IdempotentResult): Promise<void>;
  /** Releases a reserved key because nothing was stored. Never fails, like `complete`. */
  release(key: string): Promise<void>;
}

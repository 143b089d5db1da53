import { createHash } from 'node:crypto';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { AuditNotes } from '../../records/audit-notes.js';
import type { IdempotencyStore } from './idempotency-store.js';

/**
 * An idempotency key, chosen by the client: the same key marks a request as a repeat of an earlier one.
 * @pattern ^[A-Za-z0-9._~:-]{1,128}$ must have 1 to 128 letters, digits, or characters of . _ ~ : -
 * @example "3f6d2a60-3f0a-4a55-8f0a-0d8c6d0f2a11"
 */
export type IdempotencyKeyText = string;

/** Identifies repetitions of a request. */
export interface RequestKey {
  readonly idempotencyKey?: string | undefined;
  /** The owner of the key. Keys of different callers are independent. */
  readonly scope: string;
  /** Called if the request was made before, so that nothing is done again. */
  readonly onReplay?: (() => void) | undefined;
}

/**
 * Does work that returns a number once per Idempotency-Key. A repeated request gets the same answer. If the work fails,
 * the key can be used again. Only the number and a hash of the request are stored.
 *
 * @param request identifies the request; the order of its properties matters
 * @param audit receives a note if the work was not repeated
 * @throws {ProblemError} `idempotency_key_in_use`: the same request is running
 * @throws {ProblemError} `idempotency_key_reused`: the key belongs to another request
 */
export async function countOnce(
  store: IdempotencyStore,
  { idempotencyKey, scope, onReplay }: RequestKey,
  request: readonly unknown[],
  work: () => Promise<number>,
  audit?: AuditNotes,
): Promise<number> {
  if (idempotencyKey === undefined) return work();

  const key = JSON.stringify([scope, idempotencyKey]);
  const sha256 = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const reservation = await store.reserve(key);
  if (reservation.state === 'running') throw new ProblemError('idempotency_key_in_use');
  // Only an import can leave a lost key, so this is another request.
  if (reservation.state === 'lost') throw new ProblemError('idempotency_key_reused');
  if (reservation.state === 'done') {
    const { result } = reservation;
    if (result.sha256 !== sha256 || result.outcome.kind !== 'stored')
      throw new ProblemError('idempotency_key_reused');
    audit?.add({ replayed: true });
    onReplay?.();
    return result.outcome.count;
  }
  const count = await work().catch(async (error: unknown) => {
    await store.release(key);
    throw error;
  });
  const outcome = { kind: 'stored', count, batches: 1 } as const;
  await store.complete(key, { sha256, bodyBytes: 0, isWholeBody: true, outcome });
  return count;
}

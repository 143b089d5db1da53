import { createHash } from 'node:crypto';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../../errors/caller-errors.js';
import type { AuditNotes } from '../audit/audit-entry.js';
import type { IdempotencyStore } from './idempotency-store.js';

/** Which request is the same as which other. */
export interface RequestKey {
  readonly idempotencyKey?: string | undefined;
  /** Whose key it is: keys of different callers have nothing to do with each other. */
  readonly scope: string;
}

/**
 * Does a piece of work that is answered with a number once for each Idempotency-Key: repeated, the request is answered as it
 * was. A key is free again when the work fails. Only the number and a hash of the request are kept.
 *
 * @param request what was asked for, the order of its properties included
 * @param audit where it is taken down that nothing was done again
 * @throws {IdempotencyKeyInUseError} the same request is running
 * @throws {IdempotencyKeyReusedError} the key belongs to another request
 */
export async function countOnce(
  store: IdempotencyStore,
  { idempotencyKey, scope }: RequestKey,
  request: readonly unknown[],
  work: () => Promise<number>,
  audit?: AuditNotes,
): Promise<number> {
  if (idempotencyKey === undefined) return work();

  const key = JSON.stringify([scope, idempotencyKey]);
  const sha256 = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const reservation = await store.reserve(key);
  if (reservation.state === 'running') throw new IdempotencyKeyInUseError();
  if (reservation.state === 'done') {
    const { result } = reservation;
    if (result.sha256 !== sha256 || result.outcome.kind !== 'stored') throw new IdempotencyKeyReusedError();
    audit?.add({ replayed: true });
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

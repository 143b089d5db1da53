import { ImportIncompleteError, type ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { IdempotentResult, StoredOutcome } from './idempotency-store.js';
import type { ImportBody } from '../../records/import/import-body.js';
import { interrupted } from '../../records/import/import-failure.js';
import type { ImportOutcome, SentImportRequest } from '../../records/import/import-request.js';

/*
 * Imports with an Idempotency-Key: what is kept of the first request, and how a repeated one is recognised and
 * answered.
 */

/**
 * Returns the answer of the first request. If the first request was interrupted, only the part that it read is
 * compared.
 *
 * @param onReplay called before the answer, if this request is the same
 * @throws {ProblemError} `idempotency_key_reused`: this request is another one
 * @throws {ImportInterruptedError} the first request was interrupted
 */
export async function answerAgain(
  body: ImportBody,
  first: IdempotentResult,
  onReplay: () => void,
): Promise<ImportOutcome> {
  await body.readToEnd();
  const { sha256, bytes, isWhole } = body.digest();
  const isSame = sha256 === first.sha256 && bytes === first.bodyBytes && (isWhole || !first.isWholeBody);
  if (!isSame) throw new ProblemError('idempotency_key_reused');

  onReplay();
  if (first.outcome.kind === 'interrupted') throw interrupted(first.outcome);
  const { kind: _kind, ...outcome } = first.outcome;
  return outcome;
}

/** Returns the part of an outcome that is kept: counts and column names, but no record ids (UP-07). */
export function keptOutcome(outcome: ImportOutcome): StoredOutcome {
  const { count, batches, ignored, repeated, warnings, changes, verified } = outcome;
  return {
    kind: 'stored',
    count,
    batches,
    ...(ignored && { ignored }),
    ...(repeated && { repeated: { count: repeated.count } }),
    ...(warnings && { warnings: { ...warnings, first: [] } }),
    ...(changes && { changes: { ...changes, lookalikes: { count: 0, first: [] }, first: [] } }),
    ...(verified && { verified: { ...verified, first: [] } }),
  };
}

/** Returns the part of an interruption that is kept. */
export function keptFailure(error: ImportInterruptedError): StoredOutcome {
  const { stored, resumeFrom, doubtful, storedLater } = error;
  const counts =
    error instanceof ImportIncompleteError ? { sent: error.sent, counted: error.counted } : undefined;
  return { kind: 'interrupted', stored, resumeFrom, doubtful, storedLater, ...(counts && { counts }) };
}

/** Returns a text that is the same for the same options of the URL, in any order. */
export function canonicalOptions(request: SentImportRequest): string {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

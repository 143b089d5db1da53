import { CancelledError, InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { OverloadedError } from '../../domain/errors/operator-errors.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  UpstreamForbiddenError,
  UpstreamRefusedError,
  UpstreamRejectedError,
  ImportInterruptedError,
} from '../../domain/errors/upstream-errors.js';
import type { WireOptions } from './wire-call.js';

/** The outcome of a call: REDCap answered (a refusal is an answer), REDCap failed, or the call was given up. */
export type Outcome = 'answered' | 'failed' | 'abandoned';

/*
 * What the error of a call means: whether the call may be retried, and what it says about REDCap.
 */

/** Checks whether the same call may be made again after this error, and may then succeed. */
export function mayRetry(
  error: unknown,
  {
    isSafe = false,
    isRepeatable = false,
    isProbe = false,
  }: Pick<WireOptions, 'isSafe' | 'isRepeatable' | 'isProbe'>,
): boolean {
  // A probe asks whether REDCap answers now.
  if (isProbe) return false;
  return (isSafe && isBlank(error)) || ((isSafe || isRepeatable) && isTransient(error));
}

/** Checks whether the call was refused before it was sent. */
export function isOurOwnRefusal(error: unknown): boolean {
  return (
    error instanceof OverloadedError ||
    (error instanceof UpstreamUnavailableError && error.phase === 'circuit open')
  );
}

/** Classifies an error for the circuit breaker. A refusal counts as an answer: REDCap is up. */
export function outcomeOf(error: unknown): Outcome {
  // A full minute, a value that cannot be sent and a file of the wrong length are found before REDCap answers.
  const isOurs = [OverloadedError, CancelledError, InvalidRequestError].some((Own) => error instanceof Own);
  if (isOurs) return 'abandoned';
  // The total time counts against REDCap too, because it is spent waiting for REDCap.
  if (isTransient(error) || error instanceof UpstreamTimeoutError) return 'failed';
  return error instanceof CrfError ? 'answered' : 'abandoned';
}

/** Checks for a read that was answered with 200 and an empty body. @see docs/protocol/redcap.md 20 (issue) */
function isBlank(error: unknown): boolean {
  return error instanceof UpstreamInvalidError && error.isBlank;
}

/** Checks whether the same call may succeed if it is retried. */
function isTransient(error: unknown): boolean {
  if (error instanceof UpstreamUnavailableError) return error.phase !== 'circuit open';
  return error instanceof UpstreamTimeoutError && error.phase !== 'total' && error.phase !== 'queue';
}

/**
 * Returns whether REDCap refused a call. Services that read something only to say more about their own work, such as
 * the missing data codes of a project, go on without it then: a token may have the right to write and not to read.
 */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.some((Refusal) => error instanceof Refusal);
}

const REFUSALS = [UpstreamForbiddenError, UpstreamRefusedError, UpstreamRejectedError];

/**
 * Checks whether REDCap may have carried out a failed call: the request was sent, but its answer was lost or invalid.
 *
 * @param error the error of the call; `undefined` if there was none
 */
export function mayHaveArrived(error: unknown): boolean {
  if (error === undefined) return false;
  if (!(error instanceof CrfError) || error.isInDoubt) return true;
  if (error instanceof ImportInterruptedError) return error.isUncertain;
  if (error instanceof UpstreamUnavailableError) {
    return error.phase !== 'connect' && error.phase !== 'circuit open';
  }
  if (error instanceof UpstreamTimeoutError) return error.phase !== 'connect' && error.phase !== 'queue';
  return error instanceof UpstreamInvalidError || error instanceof CancelledError;
}

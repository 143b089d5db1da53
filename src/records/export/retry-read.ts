import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CrfError } from '../../domain/errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import { toUpstreamError } from '../streaming/chunks-of.js';

export interface RetryReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** Upper limit of the random delay before the second attempt. It doubles for each further attempt. */
  readonly baseMs: number;
}

/**
 * Reads an answer to its end, and reads it again from the beginning if it breaks off or is invalid. Failures before an
 * answer begins are not repeated here: the underlying client retries them with its own budget.
 */
export async function retryRead<T>(read: () => Promise<T>, options: RetryReadOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (caught) {
      if (options.signal?.aborted) throw caught instanceof CrfError ? caught : abortionOf(options.signal);
      const error = toUpstreamError(caught);
      if (attempt >= options.attempts || !brokeOff(error)) throw error;
      await pauseFor(attempt, options);
    }
  }
}

function brokeOff(error: CrfError): boolean {
  return (
    (error instanceof UpstreamUnavailableError && error.phase === 'body') ||
    (error instanceof UpstreamTimeoutError && error.phase === 'idle') ||
    (error instanceof UpstreamInvalidError && !error.isOutOfMemory)
  );
}

async function pauseFor(attempt: number, { baseMs, signal }: RetryReadOptions): Promise<void> {
  const spanMs = baseMs * 2 ** (attempt - 1);
  try {
    await pause(randomInt(Math.floor(spanMs) + 1), undefined, signal && { signal });
  } catch (error) {
    throw signal === undefined ? error : abortionOf(signal); // only its signal ends a pause
  }
}

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CancelledError } from '../../errors/caller-errors.js';
import { CrfError } from '../../errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../errors/upstream-errors.js';
import { toUpstreamError } from './chunks-of.js';

export interface RetryReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often in all, at most. */
  readonly attempts: number;
  /** The pause before the second attempt is a random part of this; it doubles for each further one. */
  readonly baseMs: number;
}

/**
 * Reads an answer to its end, and again from its beginning when it breaks off or is not what it should be. What fails
 * before an answer begins is repeated by the client below, with its own budget; not here again.
 */
export async function retryRead<T>(read: () => Promise<T>, options: RetryReadOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (caught) {
      if (options.signal?.aborted) throw cancelled(caught);
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

function cancelled(error: unknown): CrfError {
  return error instanceof CrfError ? error : new CancelledError({ cause: error });
}

async function pauseFor(attempt: number, { baseMs, signal }: RetryReadOptions): Promise<void> {
  const spanMs = baseMs * 2 ** (attempt - 1);
  try {
    await pause(randomInt(Math.floor(spanMs) + 1), undefined, signal && { signal });
  } catch (error) {
    throw cancelled(error);
  }
}

import { CancelledError } from '../../domain/errors/caller-errors.js';
import { ServiceTimeoutError, ServiceUnavailableError } from '../../domain/errors/service-errors.js';

/** The time limits and retries of calls to the service. */
export interface FetchPolicy {
  /** The time limit for the start of the answer, and for pauses within it; 120 s by default, 0 for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed call is retried; 1 by default. */
  readonly maxRetries?: number | undefined;
  /**
   * The longest pause that `Retry-After` can ask for; 60 s by default. An answer that asks for a longer one is returned
   * unchanged.
   */
  readonly maxRetryAfterMs?: number | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Returns a `fetch` with a time limit and retries. Reads, and writes with an `Idempotency-Key`, are retried after a
 * network failure, 429 or 503. `Retry-After` is respected.
 *
 * @throws {ServiceTimeoutError} the service did not answer in time
 * @throws {ServiceUnavailableError} the network failed, or the service answered with a redirect
 * @throws {CancelledError} the request's own signal aborted; the cause is its reason
 */
export function resilientFetch(send: Fetch, policy: FetchPolicy): Fetch {
  const { timeoutMs = 120_000, maxRetries = 1, maxRetryAfterMs = 60_000 } = policy;
  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      // A request can only be sent once; the copy is for the next attempt.
      const isLast = retries >= maxRetries || !mayBeRepeated(request);
      const attempt = isLast ? request : request.clone();
      const outcome = await inTime(send, attempt, timeoutMs).catch((error: unknown) => ({ error }));
      if ('error' in outcome) {
        if (isLast || !(outcome.error instanceof ServiceUnavailableError)) throw outcome.error;
        await pause(Math.random() * FIRST_PAUSE_MS, request.signal);
        continue;
      }
      const pauseMs = isLast ? undefined : pauseBefore(outcome);
      if (pauseMs === undefined || pauseMs > maxRetryAfterMs) return outcome;
      await outcome.body?.cancel();
      await pause(pauseMs, request.signal);
    }
  };
}

/** Whether the request is a read, or a write that the service recognises by its key. */
function mayBeRepeated({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('Idempotency-Key');
}

/** @returns the pause before a retry, based on the answer; `undefined` for no retry */
function pauseBefore({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const retryAfter = headers.get('Retry-After');
  if (retryAfter === null) return Math.random() * FIRST_PAUSE_MS;
  // RFC 9110, 10.2.3: seconds, or a date.
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(waitMs) ? Math.random() * FIRST_PAUSE_MS : Math.max(0, waitMs);
}

/** Sends a request. Aborts if the answer does not begin in time, or pauses for that long. */
async function inTime(send: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  const { host } = new URL(request.url);
  const limit = new AbortController();
  const giveUp = (): void => limit.abort(new ServiceTimeoutError(host, timeoutMs));
  const wait = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const timer = timeoutMs === 0 ? undefined : setTimeout(giveUp, timeoutMs);
    try {
      return await work();
    } catch (cause) {
      if (request.signal.aborted) throw abortionOf(request.signal);
      throw limit.signal.aborted ? limit.signal.reason : new ServiceUnavailableError(host, { cause });
    } finally {
      clearTimeout(timer);
    }
  };
  const signal = AbortSignal.any([request.signal, limit.signal]);
  const response = await wait(() => send(new Request(request, { signal })));
  return response.body === null ? response : watched(response, response.body, wait);
}

/** Returns the same response with a body that aborts when the service is silent. A slow reader is not cut off. */
function watched(
  response: Response,
  body: ReadableStream<Uint8Array>,
  wait: <Value>(work: () => Promise<Value>) => Promise<Value>,
): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await wait(() => reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  const answer = new Response(stream, { status, statusText, headers });
  // A constructed response has no URL.
  Object.defineProperty(answer, 'url', { value: response.url });
  return answer;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortionOf(signal));
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(abortionOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function abortionOf({ reason }: AbortSignal): CancelledError {
  return new CancelledError({ cause: reason });
}

const FIRST_PAUSE_MS = 1000;

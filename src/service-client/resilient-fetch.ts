/** How often and how long a call of the service is tried. */
export interface FetchPolicy {
  /** How long the service may take to begin its answer, and be silent in the middle of it; 120 s by default, 0 for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed is tried again; 1 by default. */
  readonly maxRetries?: number | undefined;
  /** The longest pause that `Retry-After` may ask for; 60 s by default. An answer that asks for more is given as it is. */
  readonly maxRetryAfterMs?: number | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * A `fetch` with a time limit and one retry: of a read, and of a write with an `Idempotency-Key`, after a failure of the
 * network, 429 or 503. `Retry-After` is obeyed.
 *
 * @throws {DOMException} `TimeoutError`: the service did not answer in time; or what the request's own signal says
 * @throws {TypeError} the network failed, or the service answered a redirect
 */
export function resilientFetch(send: Fetch, policy: FetchPolicy = {}): Fetch {
  const { timeoutMs = 120_000, maxRetries = 1, maxRetryAfterMs = 60_000 } = policy;
  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      // A request can be sent once; the copy is for the next time.
      const isLast = retries >= maxRetries || !mayBeRepeated(request);
      const attempt = isLast ? request : request.clone();
      const outcome = await inTime(send, attempt, timeoutMs).catch((error: unknown) => ({ error }));
      if ('error' in outcome) {
        if (isLast || request.signal.aborted || !(outcome.error instanceof TypeError)) throw outcome.error;
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

/** A read, or a write that the service knows again by its key. */
function mayBeRepeated({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('Idempotency-Key');
}

/** @returns how long to wait before a retry of what was answered so; `undefined`: no retry */
function pauseBefore({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const retryAfter = headers.get('Retry-After');
  if (retryAfter === null) return Math.random() * FIRST_PAUSE_MS;
  // RFC 9110, 10.2.3: seconds, or a date.
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(waitMs) ? Math.random() * FIRST_PAUSE_MS : Math.max(0, waitMs);
}

/** Sends a request; gives up when the answer does not begin in time, or falls silent for as long. */
async function inTime(send: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  if (timeoutMs === 0) return send(request);
  const limit = new AbortController();
  const giveUp = (): void =>
    limit.abort(new DOMException('The service did not answer in time.', 'TimeoutError'));
  const timer = setTimeout(giveUp, timeoutMs);
  try {
    const response = await send(
      new Request(request, { signal: AbortSignal.any([request.signal, limit.signal]) }),
    );
    return response.body === null ? response : watched(response, response.body, timeoutMs, giveUp);
  } finally {
    clearTimeout(timer);
  }
}

/** The same answer, whose body gives up when the service is silent. A reader that takes its time is not cut off. */
function watched(
  response: Response,
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  giveUp: () => void,
): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(giveUp, timeoutMs);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  const answer = new Response(stream, { status, statusText, headers });
  // A response that was made knows no address.
  Object.defineProperty(answer, 'url', { value: response.url });
  return answer;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal));
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('The call was cancelled.', 'AbortError');
}

const FIRST_PAUSE_MS = 1000;

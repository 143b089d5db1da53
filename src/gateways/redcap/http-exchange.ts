import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { CancelledError } from '../../errors/caller-errors.js';
import { CrfError } from '../../errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../errors/upstream-errors.js';
import type { BufferPool } from '../../buffers/buffer-pool.js';
import type { Cancellation } from './cancellation.js';
import { toNetworkCause } from './network-cause.js';
import type { Clock } from './resilience/clock.js';
import type { RequestBody, StreamedBody } from './request-body.js';
import { StageTimer } from './stage-timer.js';
import type { UpstreamTimeouts } from './upstream-timeouts.js';

/** Where requests go, and through which connections. */
export interface HttpTarget {
  readonly isSecure: boolean;
  /** Host, port, path, agent: what `http.request` needs, but for the method and the length. */
  readonly request: https.RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: UpstreamTimeouts;
  readonly clock?: Clock | undefined;
  /** Where a large body is written before it is sent, piece by piece. */
  readonly buffers: BufferPool;
}

export interface ExchangeOptions {
  readonly cancellation?: Cancellation | undefined;
  /** Whether the same may be sent twice: a stale connection is then replaced once, in silence. */
  readonly isSafe: boolean;
  readonly traceparent?: string | undefined;
}

/**
 * Posts a form, or a body that can be sent once, and answers the head of the response; its body has not been read. Follows no redirect.
 *
 * @throws {UpstreamTimeoutError} no connection, or no first byte, in time
 * @throws {UpstreamUnavailableError} the connection failed
 * @throws {CancelledError} or another error the call was ended with
 */
export async function exchange(
  target: HttpTarget,
  body: RequestBody | StreamedBody,
  { cancellation, isSafe, traceparent }: ExchangeOptions,
): Promise<IncomingMessage> {
  const traced =
    traceparent === undefined ? target : { ...target, headers: { ...target.headers, traceparent } };
  try {
    return await post(traced, body, cancellation, target.request);
  } catch (error) {
    // A kept connection that the server closed while it was idle: nobody has read the request.
    if (!(error instanceof StaleConnectionError)) throw error;
    if (!isSafe) throw error.asUnavailable;
    return post(traced, body, cancellation, { ...target.request, agent: false });
  }
}

/** A reused connection broke before the first byte of an answer. Never leaves this file. */
class StaleConnectionError extends Error {
  constructor(readonly asUnavailable: UpstreamUnavailableError) {
    super('stale connection');
  }
}

function post(
  target: HttpTarget,
  body: RequestBody | StreamedBody,
  cancellation: Cancellation | undefined,
  options: https.RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (cancellation?.error !== undefined) return reject(cancellation.error);
    const headers = {
      ...target.headers,
      'content-type': body.contentType,
      // Without a length Node sends chunks.
      ...(body.length !== undefined && { 'content-length': body.length }),
    };
    const request = (target.isSecure ? https : http).request({ ...options, method: 'POST', headers });
    const timer = new StageTimer(target.clock);
    let isConnected = false;
    let hasAnswered = false;

    const settle = (): void => {
      timer.stop();
      cancellation?.unsubscribe(fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
      request.destroy();
    };
    const awaitFirstByte = (): void => {
      isConnected = true;
      timer.start(target.timeouts.firstByteMs, () => {
        // A sender that falls silent is no failure of REDCap.
        const isSenderSilent = 'isWaitingForSource' in body && body.isWaitingForSource;
        fail(isSenderSilent ? new CancelledError() : new UpstreamTimeoutError('first byte'));
      });
    };

    cancellation?.subscribe(fail);
    request.once('socket', (socket) => {
      if (!socket.connecting) return awaitFirstByte();
      timer.start(target.timeouts.connectMs, () => fail(new UpstreamTimeoutError('connect')));
      socket.once(target.isSecure ? 'secureConnect' : 'connect', awaitFirstByte);
    });
    // What is still being sent keeps the stage alive; the time counts from the last byte.
    request.once('finish', () => timer.refresh());
    request.once('response', (response) => {
      hasAnswered = true;
      settle();
      // An answer to a request that nobody read to its end: the rest is not sent, and its memory may be used again.
      response.once('end', () => {
        if (!request.writableEnded) request.destroy();
      });
      resolve(response);
    });
    // `on`, not `once`: a connection may fail twice, and a failure nobody listens to ends the process.
    // Once there is an answer, its own reader learns what happens to the connection.
    request.on('error', (error) => {
      if (!hasAnswered) fail(toFailure(error, request, isConnected));
    });
    const onProgress = (): void => timer.refresh();
    if ('pieces' in body) return send(request, body, target.buffers, onProgress);
    body.send(request, onProgress).catch((error: unknown) => {
      // The connection reports its failure in an event of its own.
      if (error instanceof CrfError && !hasAnswered) fail(error);
    });
  });
}

function toFailure(error: Error, request: ClientRequest, isConnected: boolean): Error {
  const cause = toNetworkCause(error);
  if (cause.code.startsWith('HPE_')) {
    return new UpstreamInvalidError(
      'What answers at the URL of the API (CAPTURE_API_URL, or url of the client) does not speak HTTP.',
      { cause },
    );
  }
  const unavailable = new UpstreamUnavailableError(isConnected ? 'first byte' : 'connect', { cause });
  const isStale = request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
  return isStale ? new StaleConnectionError(unavailable) : unavailable;
}

const SHORT_BODY_BYTES = 64 * 1024;

/** Sends a large body piece by piece, so that a slow line shows its progress. */
function send(request: ClientRequest, body: RequestBody, buffers: BufferPool, onProgress: () => void): void {
  if (body.length <= SHORT_BODY_BYTES) {
    // A string rather than bytes: Node then sends a short body in one piece with the head.
    request.end(body.toString(), 'latin1');
    return;
  }
  const buffer = buffers.take();
  const pieces = body.pieces(buffer);
  const sendNext = (): void => {
    const piece = pieces.next();
    if (piece.done) {
      buffers.giveBack(buffer);
      request.end();
      return;
    }
    // The buffer is reused only when the piece has left. After a failure it is not given back: nobody says when.
    request.write(piece.value, (error) => {
      if (error) return;
      onProgress();
      sendNext();
    });
  };
  sendNext();
}

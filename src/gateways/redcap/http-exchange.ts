import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { CancelledError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';
import { type Cancellation, StageTimer } from './cancellation.js';
import type { Clock } from './resilience/clock.js';
import { SOURCE_FAILED, type RequestBody } from './request-body.js';

/** How long each stage of an upstream call may take, in milliseconds. The stages start again with each attempt. */
export interface UpstreamTimeouts {
  /** DNS lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the last byte sent to the first byte of the answer: the time in which REDCap processes the call. */
  readonly firstByteMs: number;
  /** The longest silence within an answer, while its bytes are being read. */
  readonly idleMs: number;
}

/** The time limits of a client that sets none. */
export const DEFAULT_TIMEOUTS: UpstreamTimeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 30_000 };

/** The server that requests are sent to, and the connections they use. */
export interface HttpTarget {
  readonly isSecure: boolean;
  /** Host, port, path and agent: the options of `http.request` except the method and the headers. */
  readonly request: https.RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: UpstreamTimeouts;
  readonly clock: Clock;
}

interface ExchangeOptions {
  readonly cancellation: Cancellation;
  /**
   * Whether the request may be sent twice. If so, it is silently sent again, once, when it fails on a stale connection.
   */
  readonly isSafe: boolean;
  readonly traceparent?: string | undefined;
}

/** A response whose body is unread. */
interface Exchange {
  readonly response: IncomingMessage;
  /** Whether the request was sent to its end. */
  isSent(): boolean;
}

/**
 * Posts a body and returns the response as soon as its headers have arrived. Does not follow redirects.
 *
 * @throws {UpstreamTimeoutError} no connection, or no first byte, in time
 * @throws {UpstreamUnavailableError} the connection failed
 * @throws {CancelledError} or whichever error the call was cancelled with
 */
export async function exchange(
  target: HttpTarget,
  body: RequestBody,
  { cancellation, isSafe, traceparent }: ExchangeOptions,
): Promise<Exchange> {
  const isTraced = typeof traceparent === 'string' && TRACEPARENT.test(traceparent);
  const traced = isTraced ? { ...target, headers: { ...target.headers, traceparent } } : target;
  try {
    return await post(traced, body, cancellation, target.request);
  } catch (error) {
    // The server closed a keep-alive connection while it was idle, so the request was most likely never read.
    if (!(error instanceof StaleConnectionError)) throw error;
    if (!isSafe) throw error.asUnavailable;
    return post(traced, body, cancellation, { ...target.request, agent: false });
  }
}

/** Anything else is not sent: a trace must never break a call. @see W3C Trace Context, 3.2.2 */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{1,400})?$/;

/** A reused connection broke before the first byte of the response. This error never leaves this file. */
class StaleConnectionError extends Error {
  constructor(readonly asUnavailable: UpstreamUnavailableError) {
    super('stale connection');
  }
}

function post(
  target: HttpTarget,
  body: RequestBody,
  cancellation: Cancellation,
  options: https.RequestOptions,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (cancellation.error !== undefined) return reject(cancellation.error);
    const headers = {
      ...target.headers,
      'content-type': body.contentType,
      // Without a content length, Node uses chunked encoding.
      ...(body.length !== undefined && { 'content-length': body.length }),
    };
    const request = (target.isSecure ? https : http).request({ ...options, method: 'POST', headers });
    const timer = new StageTimer(target.clock);
    let isConnected = false;
    let isSenderSilent = false;
    let answer: IncomingMessage | undefined;

    const settle = (): void => {
      timer.stop();
      cancellation.unsubscribe(fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
      request.destroy();
    };
    const awaitFirstByte = (): void => {
      isConnected = true;
      timer.start(target.timeouts.firstByteMs, () => {
        // If the sender of the file stalls, REDCap is not at fault.
        fail(isSenderSilent ? new CancelledError({}, SOURCE_FAILED) : new UpstreamTimeoutError('first byte'));
      });
    };

    cancellation.subscribe(fail);
    request.once('socket', (socket) => {
      if (!socket.connecting) return awaitFirstByte();
      timer.start(target.timeouts.connectMs, () => fail(new UpstreamTimeoutError('connect')));
      socket.once(target.isSecure ? 'secureConnect' : 'connect', awaitFirstByte);
    });
    // Bytes that are still being sent keep the stage alive, so the time counts from the last byte sent.
    request.once('finish', () => timer.refresh());
    request.once('response', (response) => {
      answer = response;
      settle();
      // The server may answer before it has read the whole request. The rest is then not sent.
      response.once('end', () => {
        if (!request.writableEnded) request.destroy();
      });
      resolve({ response, isSent: () => request.writableEnded });
    });
    // Without a listener Node closes the connection silently, and the call would wait for an answer.
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new UpstreamInvalidError(`${AT_URL} switched to another protocol than HTTP.`));
    });
    // `on`, not `once`: a connection can fail twice, and an `error` event without a listener ends the process. Node
    // reports a reset in the middle of a response here and then ends the response, which may look complete if only the
    // closed connection marks its end.
    request.on('error', (error) => {
      if (answer === undefined) fail(toFailure(error, request, isConnected));
      else if (!answer.complete) answer.destroy(error);
    });
    const send = async (): Promise<void> => {
      isSenderSilent = true;
      for await (const piece of body.pieces()) {
        isSenderSilent = false;
        await written(request, piece);
        timer.refresh();
        isSenderSilent = true;
      }
      isSenderSilent = false;
      request.end(body.end);
    };
    send().catch((error: unknown) => {
      // Connection failures are reported by the request's `error` event.
      if (error instanceof CrfError && answer === undefined) fail(error);
    });
  });
}

/** Writes a piece, and waits until it has been sent. */
function written(request: ClientRequest, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

function toFailure(error: Error, request: ClientRequest, isConnected: boolean): Error {
  const cause = toNetworkCause(error);
  if (cause.code.startsWith('HPE_')) {
    return new UpstreamInvalidError(`${AT_URL} does not speak HTTP.`, { cause });
  }
  const unavailable = new UpstreamUnavailableError(isConnected ? 'first byte' : 'connect', { cause });
  const isStale = request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
  return isStale ? new StaleConnectionError(unavailable) : unavailable;
}

const AT_URL = 'What answers at the URL of the API (CAPTURE_API_URL, or url of the client)';

/** The part of a network error that may be shown: its code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export interface NetworkCause {
  readonly code: string;
}

/**
 * Reduces a Node.js error to its code. The original error can hold the request, which holds the token, so it must never
 * become the cause of one of our errors.
 */
export function toNetworkCause(error: unknown): NetworkCause {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code: typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN' };
}

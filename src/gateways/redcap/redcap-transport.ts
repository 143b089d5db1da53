import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { withDefaults } from '../../domain/identifiers/check-options.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { ApiToken } from '../../domain/identifiers/api-token.js';
import { isLoopbackHost, type ApiUrl } from '../../domain/identifiers/api-url.js';
import { readFailure } from './readings.js';
import { DEFAULT_TIMEOUTS, exchange, type HttpTarget, type UpstreamTimeouts } from './http-exchange.js';
import { formBody, multipartBody, uploadBody, type RequestBody } from './request-body.js';
import { SYSTEM_CLOCK, type Clock } from './resilience/clock.js';
import type { Cancellable, Send, WireCall } from './wire-call.js';
import type { WireParameters } from './wire-parameters.js';

export interface RedcapTransportOptions {
  readonly url: ApiUrl;
  readonly token: ApiToken;
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** The maximum number of connections; 8 by default. */
  readonly maxSockets?: number | undefined;
  /** The caller's own agent, for a proxy or a private certificate authority. It is not closed by `close`. */
  readonly agent?: HttpAgent | undefined;
  /** The largest answer that is held in memory, 64 MiB by default. Streams have no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /** The clock that measures the time limits; the system's clock by default. */
  readonly clock?: Clock | undefined;
  /** How imports are sent; `multipart` by default. */
  readonly importEncoding?: ImportEncoding | undefined;
}

/** How an import is encoded. `urlencoded` is about twice as long; it is for proxies that refuse `multipart`. */
export type ImportEncoding = 'multipart' | 'urlencoded';

/**
 * REDCap's API over HTTP: posts one form and classifies the answer by its content. It neither retries (except on a
 * stale keep-alive connection) nor follows redirects, and sends the token only in the request body.
 *
 * @see docs/protocol/redcap.md 1
 */
export class RedcapTransport {
  readonly #token: ApiToken;
  readonly #target: HttpTarget;
  readonly #ownAgent: HttpAgent | undefined;
  readonly #maxBytes: number;
  readonly #importEncoding: ImportEncoding;

  constructor(options: RedcapTransportOptions) {
    const url = new URL(options.url);
    const isSecure = url.protocol === 'https:';
    const { maxSockets = 8, maxAnswerBytes = 64 * 1024 * 1024, importEncoding = 'multipart' } = options;
    if (options.agent === undefined) {
      this.#ownAgent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets });
    }
    this.#token = options.token;
    this.#maxBytes = maxAnswerBytes;
    this.#importEncoding = importEncoding;
    this.#target = {
      isSecure,
      request: {
        hostname: urlToHttpOptions(url).hostname,
        port: url.port === '' ? undefined : url.port,
        path: url.pathname,
        agent: options.agent ?? this.#ownAgent,
      },
      headers: {
        accept: '*/*',
        // On loopback, compression costs more than it saves.
        'accept-encoding': isLoopbackHost(url.hostname) ? 'identity' : 'gzip',
        'user-agent': 'crf-service',
      },
      timeouts: withDefaults(DEFAULT_TIMEOUTS, options.timeouts),
      clock: options.clock ?? SYSTEM_CLOCK,
    };
  }

  /** Sends one request, and reads its answer. @throws {UpstreamInvalidError} a file was answered before it was sent */
  readonly send: Send<Cancellable> = async (call) => {
    const { parameters, file, reading, cancellation, isSafe = false, traceparent } = call;
    const { timeouts, clock, headers } = this.#target;
    const target = reading.isUncompressed
      ? { ...this.#target, headers: { ...headers, 'accept-encoding': 'identity' } }
      : this.#target;
    const sent = await exchange(target, this.#bodyOf(call), { cancellation, isSafe, traceparent });
    const limits = { cancellation, idleMs: timeouts.idleMs, clock, maxBytes: this.#maxBytes };
    if (!isSuccess(sent.response)) {
      const failure = await readFailure(sent.response, parameters, limits);
      const value = reading.readFailure?.(failure);
      if (value === undefined) throw failure.error;
      return value;
    }
    const value = await reading.read(sent.response, limits);
    if (file !== undefined && !sent.isSent()) {
      throw new UpstreamInvalidError('REDCap answered before it had the whole file.');
    }
    return value;
  };

  close(): void {
    this.#ownAgent?.destroy();
  }

  #bodyOf({ parameters, file, isForwarded = false }: WireCall<unknown>): RequestBody {
    const token = this.#token.reveal();
    const named = isForwarded
      ? { ...parameters, token }
      : { token, ...withDelimiter(parameters), returnFormat: 'json' };
    if (file !== undefined) return uploadBody(named, file);
    // Percent-encoding would nearly double the size of an import.
    const isMultipart = this.#importEncoding === 'multipart' && parameters['data'] !== undefined;
    return isMultipart ? multipartBody(named) : formBody(named);
  }
}

/** Names the comma of CSV too, because a server can have another default. @see docs/protocol/redcap.md 4.1 (inferred) */
function withDelimiter(parameters: WireParameters): WireParameters {
  return parameters['format'] === 'csv'
    ? { ...parameters, csvDelimiter: parameters['csvDelimiter'] ?? ',' }
    : parameters;
}

/** REDCap answers every success with 200. A 206 of something in between would be a part. @see docs/protocol/redcap.md 1.9 */
function isSuccess({ statusCode }: IncomingMessage): boolean {
  return statusCode === 200;
}

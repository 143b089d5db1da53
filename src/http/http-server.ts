import http from 'node:http';
import type { Express } from 'express';
import {
  aNumber,
  aTime,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../domain/identifiers/check-options.js';
import { boundPipelining, endBodiesAfterAnswer, endSilentCallers, shareConnections } from './connections.js';
import { toOriginForm } from './host-header.js';
import { refuseUnreadable } from './refuse-unreadable.js';

/** Limits of the server (OPS-03). Durations are in milliseconds. */
export interface HttpServerOptions {
  /** How long a client may take to send its headers; 15 s by default. */
  readonly headersTimeoutMs?: number | undefined;
  /**
   * How long a client may take to send its whole request; unlimited by default, because an import may take as long as
   * it needs. `idleTimeoutMs` ends a request that has stopped sending.
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * How long a caller may be silent: within a request, or without reading the answer; 60 s by default. The time in which
   * the caller waits for the service does not count.
   */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a connection is kept open for the next request; 65 s by default, longer than the 60 s of most proxies. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** The maximum number of simultaneous connections; 1000 by default. */
  readonly maxConnections?: number | undefined;
  /**
   * The maximum number of simultaneous connections from one network, an IPv4 address or an IPv6 /64; half of
   * `maxConnections` by default. Proxies named in the application's `trust proxy` setting are not limited.
   */
  readonly maxConnectionsPerNetwork?: number | undefined;
}

/** Node's default, fixed here because the 414 of the application must apply first. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Requests of one connection that may wait for their answers. */
const MAX_PIPELINED = 16;

/**
 * Creates the server of an Express application, with limits on headers, silence and connections that `app.listen` does
 * not have (OPS-03), and answers to requests that are not valid HTTP.
 *
 * @throws {ConfigurationError} names every invalid option, but never its value
 */
export function createHttpServer(app: Express, options: HttpServerOptions = {}): http.Server {
  checkServerOptions(app, options);
  const headersTimeoutMs = options.headersTimeoutMs ?? 15_000;
  const server = http.createServer(
    {
      headersTimeout: headersTimeoutMs,
      // Node checks for overdue headers every 30 seconds, which could triple the configured limit.
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 10),
      requestTimeout: options.requestTimeoutMs ?? 0,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // the application refuses it, with its own headers and log
    },
    boundPipelining((request, response) => {
      toOriginForm(request);
      app(request, response);
    }, MAX_PIPELINED),
  );
  server.maxConnections = options.maxConnections ?? 1000;
  shareConnections(server, {
    limit: options.maxConnectionsPerNetwork ?? Math.ceil(server.maxConnections / 2),
    isProxy: (address) => isProxy(app, address),
  });
  endBodiesAfterAnswer(server);
  endSilentCallers(server, options.idleTimeoutMs ?? 60_000);
  server.on('clientError', refuseUnreadable(app));
  // Node would respond with 417 without our headers. A server may ignore an unknown expectation (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

const OPTIONS = {
  headersTimeoutMs: aTime(1),
  requestTimeoutMs: aTime(0),
  idleTimeoutMs: aTime(0),
  keepAliveTimeoutMs: aTime(0),
  maxConnections: aNumber(1),
  maxConnectionsPerNetwork: aNumber(1),
} satisfies OptionRules<keyof HttpServerOptions>;

function checkServerOptions(app: unknown, options: unknown): void {
  const isApplication = typeof app === 'function' && 'request' in app && 'response' in app;
  refuseProblems([
    ...(isApplication ? [] : [{ field: 'app', message: 'must be an Express application' }]),
    ...optionProblems(options, OPTIONS),
  ]);
}

/**
 * Express compiles the `trust proxy` setting into a function of an address and its distance in hops from this server.
 */
function isProxy(app: Express, address: string): boolean {
  const isTrusted = app.get('trust proxy fn') as (address: string, place: number) => boolean;
  return isTrusted(address, 0);
}

import http, { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { aNumber, optionProblems, refuseProblems } from '../errors/check-options.js';
import { endBodiesAfterAnswer } from './body-after-answer.js';
import { shareConnections } from './connection-share.js';
import { refuseUnreadable } from './refuse-unreadable.js';

/** Limits of the server itself (OPS-03). Durations in milliseconds. */
export interface HttpServerOptions {
  /** How long a client may take to send its headers; 15 s by default. */
  readonly headersTimeoutMs?: number | undefined;
  /**
   * How long a client may take to send its whole request; none by default, because an import may take as long as it
   * needs: `idleTimeoutMs` ends the one that stopped sending.
   */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a connection may be silent in the middle of a request; 60 s by default. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a connection is kept for the next request; 65 s by default, longer than the usual proxy's 60 s. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** Connections at once; 1000 by default. */
  readonly maxConnections?: number | undefined;
  /**
   * Connections at once from one network, an IPv4 address or a /64 of IPv6; half of `maxConnections` by default. An
   * address that the application's `trust proxy` setting names as a proxy is not counted.
   */
  readonly maxConnectionsPerNetwork?: number | undefined;
}

/** Node's own default; said here because the 414 of the application has to come first. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Makes the server of an Express application, several times faster than `app.listen`.
 *
 * Express gives every request and response its own prototypes with `Object.setPrototypeOf`, which on Node 20 throws
 * away what V8 has learned about both objects. Here the two are born with these prototypes, so that the call finds
 * nothing to change. Everything else is Express as it is: sub-applications still re-parent what they are handed.
 *
 * @throws {ConfigurationError} naming every option that is wrong, never its value
 */
export function createHttpServer(app: Express, options: HttpServerOptions = {}): http.Server {
  checkServerOptions(app, options);
  const headersTimeoutMs = options.headersTimeoutMs ?? 15_000;
  const server = http.createServer(
    {
      IncomingMessage: requestClass(app),
      ServerResponse: responseClass(app),
      headersTimeout: headersTimeoutMs,
      // Node looks for overdue headers every half minute: the limit would be three times what it says.
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 10),
      requestTimeout: options.requestTimeoutMs ?? 0,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // the application refuses it, with its own headers and log
    },
    app,
  );
  server.maxConnections = options.maxConnections ?? 1000;
  shareConnections(server, {
    limit: options.maxConnectionsPerNetwork ?? Math.ceil(server.maxConnections / 2),
    isProxy: (address) => isProxy(app, address),
  });
  endBodiesAfterAnswer(server);
  server.setTimeout(options.idleTimeoutMs ?? 60_000);
  server.on('clientError', refuseUnreadable(app));
  // Node would answer 417 without our headers; a server may leave an expectation that it does not know unmet (RFC 9110, 10.1.1).
  server.on('checkExpectation', app);
  return server;
}

const OPTIONS = {
  headersTimeoutMs: aNumber(1),
  requestTimeoutMs: aNumber(0),
  idleTimeoutMs: aNumber(0),
  keepAliveTimeoutMs: aNumber(0),
  maxConnections: aNumber(1),
  maxConnectionsPerNetwork: aNumber(1),
};

function checkServerOptions(app: unknown, options: unknown): void {
  const isApplication = typeof app === 'function' && 'request' in app && 'response' in app;
  refuseProblems([
    ...(isApplication ? [] : [{ field: 'app', message: 'must be an Express application' }]),
    ...optionProblems(options, OPTIONS),
  ]);
}

/** Express compiles the setting `trust proxy` into a function of an address and its place, counted from this server. */
function isProxy(app: Express, address: string): boolean {
  const isTrusted = app.get('trust proxy fn') as (address: string, place: number) => boolean;
  return isTrusted(address, 0);
}

/**
 * A constructor whose prototype is the application's own `request`, which inherits from IncomingMessage already.
 * `IncomingMessage.call` and not `Reflect.construct`, nor a class: those were measured at a sixth of the rate, because
 * the objects they make have no shape of their own that V8 could learn.
 */
function requestClass(app: Express): typeof IncomingMessage {
  function AppRequest(this: IncomingMessage, socket: Socket): void {
    (IncomingMessage as unknown as (this: IncomingMessage, socket: Socket) => void).call(this, socket);
  }
  AppRequest.prototype = app.request;
  // Node asks for a class and calls it with `new`; only a function lets the prototype be chosen.
  return AppRequest as unknown as typeof IncomingMessage;
}

/** The same for `response`, which inherits from ServerResponse. */
function responseClass(app: Express): typeof ServerResponse {
  type Construct = (this: ServerResponse, request: IncomingMessage, options: unknown) => void;
  function AppResponse(this: ServerResponse, request: IncomingMessage, options: unknown): void {
    (ServerResponse as unknown as Construct).call(this, request, options);
  }
  AppResponse.prototype = app.response;
  return AppResponse as unknown as typeof ServerResponse; // as above
}

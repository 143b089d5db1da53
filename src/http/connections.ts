import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOfAddress } from './network-of-address.js';

export interface ConnectionShare {
  /** The maximum number of simultaneous connections from one network: an IPv4 address, or an IPv6 /64. */
  readonly limit: number;
  /** Whether an address belongs to a proxy. All clients share its connections, so it has no limit. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Closes the connections of a network that exceed its share, so that no network can lock out all others (OPS-03). The
 * server emits a `drop` event for each, as Node does for connections beyond `maxConnections`.
 */
export function shareConnections(server: Server, { limit, isProxy }: ConnectionShare): void {
  const open = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const network = networkOfAddress(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= limit) {
      socket.destroy();
      server.emit('drop', { remoteAddress });
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/**
 * Returns a listener that ends a connection on which more requests than a limit wait for their answers (OPS-03). All of
 * them would be worked on at once, and their answers held for a client that reads none of them. Browsers and the usual
 * libraries send one request at a time.
 *
 * @param most requests of one connection that may be under way
 */
export function boundPipelining(listener: RequestListener, most: number): RequestListener {
  const underWay = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = underWay.get(socket) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    underWay.set(socket, count + 1);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}

/**
 * Closes connections on which the caller is silent: between the bytes of a request, or without reading its answer
 * (OPS-03). While the service is the one who has to speak next, because it waits for REDCap or for its turn there, the
 * time does not run: so the time for a caller is longer than any time for REDCap, whatever the two are set to.
 */
export function endSilentCallers(server: Server, idleMs: number): void {
  const underWay = new WeakMap<Socket, Set<IncomingMessage>>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const requests = underWay.get(socket) ?? new Set();
    underWay.set(socket, requests.add(request));
    response.once('close', () => requests.delete(request));
  });
  server.setTimeout(idleMs);
  server.on('timeout', (socket: Socket) => {
    const isOurTurn = [...(underWay.get(socket) ?? [])].some(hasSaidEnough) && socket.writableLength === 0;
    // Node starts the time only once.
    if (isOurTurn) socket.setTimeout(idleMs);
    else socket.destroy();
  });
}

/** Whether a request has arrived, or as much of it as the service has asked for: it reads on when REDCap has taken that. */
function hasSaidEnough({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return complete || readableLength >= readableHighWaterMark;
}

/** How long the rest of a body is read after the response has been sent. */
const GRACE_MS = 1_000;

/** Calls back once after a delay. @returns a function that cancels the call */
export type Schedule = (milliseconds: number, callback: () => void) => () => void;

/**
 * Closes the connection of a request whose body continues for more than a second after the response (OPS-03). Otherwise
 * a client without credentials could hold a connection forever by sending a byte now and then. If the body ends in
 * time, the connection stays open for the next request, and the client gets the response instead of a reset.
 */
export function endBodiesAfterAnswer(server: Server, schedule: Schedule = systemSchedule): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    response.once('finish', () => {
      if (request.complete) return;
      const forget = schedule(GRACE_MS, () => destroyUnlessComplete(request));
      request.once('close', forget);
      request.resume();
    });
  });
}

/**
 * After a busy event loop, timers run before sockets are read. The end of the body may have arrived in time and still
 * be unread, and its sender may already have used the connection for the next request. So the sockets are read once
 * more.
 */
function destroyUnlessComplete(request: IncomingMessage): void {
  setImmediate(() => {
    if (!request.complete) request.socket.destroy();
  });
}

/** A request with neither header has no body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const systemSchedule: Schedule = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

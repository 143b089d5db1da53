import type { IncomingMessage, Server, ServerResponse } from 'node:http';

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

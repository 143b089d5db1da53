import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How long the rest of a body is read after the answer. */
const GRACE_MS = 1_000;

/** Calls back once after the time. @returns how to forget it */
export type Schedule = (milliseconds: number, callback: () => void) => () => void;

/**
 * Ends the connection of a request whose body goes on for more than a second after the answer (OPS-03): a byte now and
 * then would hold it forever, and no credential is needed to be refused. A body that ends in time leaves the connection
 * open for the next request, and its sender with the answer instead of a reset.
 */
export function endBodiesAfterAnswer(server: Server, schedule: Schedule = systemSchedule): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    response.once('finish', () => {
      if (request.complete) return;
      const forget = schedule(GRACE_MS, () => request.socket.destroy());
      request.once('close', forget);
      request.resume();
    });
  });
}

/** Without one of the two headers a request ends with its head. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const systemSchedule: Schedule = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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

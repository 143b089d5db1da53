import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Response } from 'express';

/** How often to look for idle connections. */
const SWEEP_MS = 100;

/** The key under which a connection stores its latest response. A property costs nothing per request. */
const LAST_RESPONSE = Symbol('last response');

/** A connection of the server. */
export type Connection = Socket & { [LAST_RESPONSE]?: Response };

export interface CloseOptions {
  /** The time after which open connections are destroyed. */
  readonly timeoutMs: number;
  /** Called after that time with the responses in progress, before they are destroyed. */
  readonly onOverdue?: (responses: readonly Response[]) => Promise<void>;
}

/**
 * Closes a server gracefully: it accepts no new connections, completes the requests in progress, and closes idle
 * connections.
 *
 * @param connections the connections of the server, from `connectionsOf`
 */
export async function closeServer(
  server: Server,
  connections: ReadonlySet<Connection>,
  { timeoutMs, onOverdue = () => Promise.resolve() }: CloseOptions,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A response that began before the drain has no `Connection: close`, so its client may keep the connection.
  const sweep = setInterval(() => closeIdle(server, connections), SWEEP_MS);
  const overdue = setTimeout(() => {
    void onOverdue(underWay(connections)).finally(() => server.closeAllConnections());
  }, timeoutMs);
  closeIdle(server, connections);
  await closed;
  clearInterval(sweep);
  clearTimeout(overdue);
}

/** Tracks the open connections of a server. Call it before the server listens. */
export function connectionsOf(server: Server): ReadonlySet<Connection> {
  const connections = new Set<Connection>();
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: { readonly socket: Connection }, response: Response) => {
    socket[LAST_RESPONSE] = response;
  });
  return connections;
}

function underWay(connections: ReadonlySet<Connection>): Response[] {
  return [...connections].flatMap(({ [LAST_RESPONSE]: response }) =>
    response === undefined || response.writableEnded ? [] : [response],
  );
}

/**
 * Node does not count a connection as idle if nothing has been received on it. Browsers open such connections in
 * advance.
 */
function closeIdle(server: Server, connections: ReadonlySet<Connection>): void {
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Response } from 'express';

/** How often connections that have become idle are looked for. */
const SWEEP_MS = 100;

/** Where the response stands that was last begun on a connection. A property: it costs nothing at each request. */
const LAST_RESPONSE = Symbol('last response');

/** A connection of the server. */
export type Connection = Socket & { [LAST_RESPONSE]?: Response };

export interface CloseOptions {
  /** After which whatever is still open is destroyed. */
  readonly timeoutMs: number;
  /** Called with the responses that are under way then, before they are destroyed. */
  readonly onOverdue?: (responses: readonly Response[]) => Promise<void>;
}

/**
 * Closes a server in order: it accepts nothing more, ends what is under way, and keeps no connection that is idle.
 *
 * @param connections those of the server, as `connectionsOf` gives them
 */
export async function closeServer(
  server: Server,
  connections: ReadonlySet<Connection>,
  { timeoutMs, onOverdue = () => Promise.resolve() }: CloseOptions,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // An answer that began before the drain has not said that it closes its connection: its client may keep it.
  const sweep = setInterval(() => closeIdle(server, connections), SWEEP_MS);
  const overdue = setTimeout(() => {
    void onOverdue(underWay(connections)).finally(() => server.closeAllConnections());
  }, timeoutMs);
  closeIdle(server, connections);
  await closed;
  clearInterval(sweep);
  clearTimeout(overdue);
}

/** @returns the open connections of a server, from now on: call it before the server listens */
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

/** A connection over which nothing came yet, as browsers open them in advance, is not idle in Node's eyes. */
function closeIdle(server: Server, connections: ReadonlySet<Connection>): void {
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

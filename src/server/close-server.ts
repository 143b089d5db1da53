import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections that have become idle are looked for. */
const SWEEP_MS = 100;

/**
 * Closes a server in order: it accepts nothing more, ends what is under way, and keeps no connection that is idle.
 *
 * @param connections those of the server, as `connectionsOf` gives them
 * @param timeoutMs after which whatever is still open is destroyed
 */
export async function closeServer(
  server: Server,
  connections: ReadonlySet<Socket>,
  timeoutMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // An answer that began before the drain has not said that it closes its connection: its client may keep it.
  const sweep = setInterval(() => closeIdle(server, connections), SWEEP_MS);
  const overdue = setTimeout(() => server.closeAllConnections(), timeoutMs);
  closeIdle(server, connections);
  await closed;
  clearInterval(sweep);
  clearTimeout(overdue);
}

/** @returns the open connections of a server, from now on: call it before the server listens */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/** A connection over which nothing came yet, as browsers open them in advance, is not idle in Node's eyes. */
function closeIdle(server: Server, connections: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

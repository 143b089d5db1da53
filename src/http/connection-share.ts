import type { Server } from 'node:http';
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

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOfAddress } from './network-of-address.js';

export interface ConnectionShare {
  /** Connections at once from one network: an IPv4 address, or a /64 of IPv6. */
  readonly limit: number;
  /** Whether an address is that of a proxy: all clients share its connections, so that it has no share of its own. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Closes connections beyond the share of their network, so that no network keeps all others out (OPS-03). They are
 * announced by the server's `drop` event, as Node announces those beyond `maxConnections`.
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

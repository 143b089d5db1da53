import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { Certificate } from './certificate.js';

/** An HTTPS proxy whose connections all end on this machine. */
export interface RedirectingProxy {
  /** The value of `HTTPS_PROXY`. */
  readonly url: string;
  /** Requested host names that are unknown, each once. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy for a client that requires the HTTPS address of a real server. A connection to a known host name is
 * answered by that name's listener on this machine. Any other host name is refused, so that nothing leaves the machine.
 *
 * @param hosts the listener for each host name
 */
export async function startRedirectingProxy(
  hosts: Readonly<Record<string, RequestListener>>,
  { key, certificate }: Certificate,
): Promise<RedirectingProxy> {
  const refused = new Set<string>();
  const secureContext = tls.createSecureContext({ key, cert: certificate });
  const origins = new Map(
    Object.entries(hosts).map(([host, listener]) => [host, http.createServer(listener)]),
  );
  const sockets = new Set<Duplex>();

  const proxy = http.createServer((_request, response) => response.writeHead(502).end());
  proxy.on('connect', ({ url = '' }: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    const host = url.replace(/:443$/, '');
    const origin = origins.get(host);
    socket.on('error', () => socket.destroy());
    if (origin === undefined) {
      refused.add(host);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const secured = new tls.TLSSocket(socket, { isServer: true, secureContext });
    secured.on('error', () => secured.destroy());
    origin.emit('connection', secured);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get refused() {
      return [...refused];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = once(proxy, 'close');
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
  };
}

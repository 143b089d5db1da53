import http from 'node:http';
import { closeServer, listen } from '../../support/start-service.js';

/** A reverse proxy for a service. */
export interface ReverseProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that behaves like nginx by default: it sends the upstream's address as `Host` and adds no headers.
 *
 * @param added headers to add to every request, as most configurations do
 */
export async function startReverseProxy(
  upstream: string,
  added: Readonly<Record<string, string>> = {},
): Promise<ReverseProxy> {
  const { host } = new URL(upstream);
  const server = http.createServer((request, response) => {
    const passedOn = http.request(new URL(request.url ?? '/', upstream), {
      method: request.method,
      headers: { ...request.headers, host, connection: 'close', ...added },
      agent: false,
    });
    passedOn.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.once('error', () => response.writeHead(502).end());
    request.pipe(passedOn);
  });
  const url = await listen(server);
  return { url, close: () => closeServer(server) };
}

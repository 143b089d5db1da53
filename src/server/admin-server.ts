import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthService } from '../services/health-service.js';
import { isLoopbackHost } from '../domain/identifiers/api-url.js';
import { boundPipelining } from '../http/connections.js';
import { hostProblem, toOriginForm } from '../http/host-header.js';
import { listen } from './listen.js';

/** Probes and scrapes need few connections, none of which may occupy its place for long (OPS-03). */
const MAX_CONNECTIONS = 64;
/** Of one connection, before their answers have been sent. */
const MAX_REQUESTS = 4;
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** The parts of the service that the admin server reports on. */
export interface AdminParts {
  readonly health: Pick<HealthService, 'readiness'>;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @returns the host name that a request is for, without its port */
function hostNameOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/**
 * Serves `/live`, `/ready` and `/metrics` to operators on a separate port that no proxy exposes. It keeps responding
 * until the process ends, even while the service drains. On loopback, requests for other host names get 421; those without one host get 400.
 *
 * @throws {ConfigurationError} see `listen`
 */
export async function startAdminServer(
  { port, host }: { readonly port: number; readonly host: string },
  parts: AdminParts,
): Promise<AdminServer> {
  const isLoopback = isLoopbackHost(host === '::1' ? '[::1]' : host);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    toOriginForm(request);
    if (hostProblem(request) !== undefined) return end(response, 400, {}, '');
    // A page in a browser on this machine may have a host name that resolves to loopback.
    if (isLoopback && !isLoopbackHost(hostNameOf(request))) return end(response, 421, {}, '');
    answer(request, response, parts).catch(() => end(response, 500, {}, ''));
  };
  const server = createServer(LIMITS, boundPipelining(listener, MAX_REQUESTS));
  server.setTimeout(LIMITS.requestTimeout);
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, port, host, { port: 'ADMIN_PORT', host: 'ADMIN_HOST' });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: AdminParts,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, { Allow: 'GET, HEAD' }, '');
  switch (url) {
    case '/live':
      return end(response, 200, JSON_TYPE, '{"status":"ok"}');
    case '/ready': {
      const readiness = await health.readiness();
      return end(
        response,
        readiness.status === 'not_ready' ? 503 : 200,
        JSON_TYPE,
        JSON.stringify(readiness),
      );
    }
    case '/metrics':
      return end(response, 200, { 'Content-Type': metrics.contentType }, await metrics.text());
    default:
      return end(response, 404, {}, '');
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(body);
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

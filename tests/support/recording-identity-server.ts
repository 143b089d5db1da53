import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, as received. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The body as text. */
  readonly body: string;
}

/** A response to play back. */
export type Reply =
  | { readonly status: number; readonly json?: unknown; readonly delayMs?: number }
  | {
      readonly status: number;
      readonly text: string;
      readonly contentType: string;
      readonly location?: string;
    }
  /** No response, a reset connection, or a truncated response. */
  | 'hang'
  | 'reset'
  | 'half';

type Handler = (request: RecordedRequest) => Reply;

export interface RecordingIdentityServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly endpoint: string;
  readonly requests: readonly RecordedRequest[];
  /** @returns the requests to a route such as `POST /account/sessions/token` */
  requestsTo(route: string): RecordedRequest[];
  /** Sets the reply of a route; `*` matches one path segment. */
  on(route: string, reply: Reply | Handler): void;
  /** Sets a reply for one request, which takes precedence over those set by `on`. */
  once(route: string, reply: Reply | Handler): void;
  stop(): Promise<void>;
}

interface Route {
  readonly pattern: RegExp;
  readonly handler: Handler;
}

/** Starts a server on loopback that records requests and plays back replies. The default is Appwrite's 404. */
export async function startRecordingIdentityServer(): Promise<RecordingIdentityServer> {
  const requests: RecordedRequest[] = [];
  const routes: Route[] = [];
  const onces: Route[] = [];
  const server = http.createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const recorded = { method, url, headers, body };
      requests.push(recorded);
      const [path = ''] = url.split('?');
      const line = `${method} ${path}`;
      const index = onces.findIndex(({ pattern }) => pattern.test(line));
      const [once] = index >= 0 ? onces.splice(index, 1) : [];
      const route = once ?? routes.findLast(({ pattern }) => pattern.test(line));
      play(response, route?.handler(recorded) ?? appwriteError(404, 'general_route_not_found'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    endpoint: `http://127.0.0.1:${port}/v1`,
    requests,
    requestsTo: (route) => {
      const pattern = patternOf(route);
      return requests.filter(({ method, url }) => pattern.test(`${method} ${url.split('?')[0]}`));
    },
    on: (route, reply) => void routes.push({ pattern: patternOf(route), handler: handlerOf(reply) }),
    once: (route, reply) => void onces.push({ pattern: patternOf(route), handler: handlerOf(reply) }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns an error in Appwrite's format. */
export function appwriteError(status: number, type: string, message = 'Upstream text.'): Reply {
  return { status, json: { message, code: status, type, version: '1.9.6' } };
}

function play(response: http.ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  if (reply === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"$id":"half', () => response.socket?.destroy());
    return;
  }
  if ('text' in reply) {
    const location = reply.location === undefined ? {} : { location: reply.location };
    response.writeHead(reply.status, { 'content-type': reply.contentType, ...location }).end(reply.text);
    return;
  }
  const send = (): void => {
    if (reply.json === undefined) response.writeHead(reply.status).end();
    else {
      response.writeHead(reply.status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(reply.json));
    }
  };
  if (reply.delayMs === undefined) send();
  else setTimeout(send, reply.delayMs);
}

function patternOf(route: string): RegExp {
  const [method = '', path = ''] = route.split(' ');
  return new RegExp(`^${method} /v1${path.replaceAll('*', '[^/]+')}$`);
}

function handlerOf(reply: Reply | Handler): Handler {
  return typeof reply === 'function' ? reply : () => reply;
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

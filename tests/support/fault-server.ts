import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { readForm } from './read-form.js';

/** How the end of a body is marked: by its content length, by chunked encoding, or only by closing the connection. */
export type Framing = 'length' | 'chunked' | 'close';

/** What the server does with a request. */
export type Fault =
  /** Sends a complete response. */
  | {
      kind: 'answer';
      status?: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      framing?: Framing;
    }
  /** Sends part of the body, then ends the connection normally or with a reset. */
  | {
      kind: 'cut';
      body: string | Buffer;
      fraction: number;
      headers?: Record<string, string>;
      framing?: Framing;
      how?: 'end' | 'reset';
    }
  /** Sends nothing or part of the body, then stalls. */
  | { kind: 'hang'; at: 'head' }
  | { kind: 'hang'; at: 'body'; body: string | Buffer; fraction: number; headers?: Record<string, string> }
  /** Sends part of the body, and the rest when a promise resolves. */
  | { kind: 'hold'; body: string | Buffer; fraction: number; until: Promise<unknown> }
  /** Sends the body in small pieces with pauses. */
  | { kind: 'drip'; body: string | Buffer; pieces: number; everyMs: number }
  /** Resets the connection before sending anything. */
  | { kind: 'reset' };

export interface RecordedRequest {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The decoded form. */
  readonly form: URLSearchParams;
}

export interface FaultServer {
  readonly url: string;
  readonly port: number;
  /** All requests, in the order in which they were read. */
  readonly requests: readonly RecordedRequest[];
  /** Discards the recorded requests, to save memory in long runs. */
  readonly forget: () => void;
  /** Number of connections ever opened, and of those open now. */
  readonly connections: { opened: number; open: number };
  /** Returns the maximum number of concurrent requests. */
  readonly peak: () => number;
  /** Resolves when the next connection closes. */
  readonly nextClose: () => Promise<void>;
  close(): Promise<void>;
}

/** Decides how to answer a request, by its content and the number of requests before it. */
export type FaultScript = (request: RecordedRequest, index: number) => Fault | Promise<Fault>;

/** Starts a server on a free loopback port that answers with faults. Close it in the same test or suite. */
export async function startFaultServer(script: FaultScript): Promise<FaultServer> {
  const requests: RecordedRequest[] = [];
  const connections = { opened: 0, open: 0 };
  const closeListeners: (() => void)[] = [];
  let underWay = 0;
  let peak = 0;

  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    underWay += 1;
    peak = Math.max(peak, underWay);
    response.once('close', () => (underWay -= 1));
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const recorded = {
      headers: request.headers,
      body,
      form: readForm(body, request.headers['content-type']),
    };
    requests.push(recorded);
    play(await script(recorded, requests.length - 1), request.socket, response);
  };
  server.on('connection', (socket) => {
    connections.opened += 1;
    connections.open += 1;
    socket.once('close', () => {
      connections.open -= 1;
      closeListeners.splice(0).forEach((listener) => listener());
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/api/`,
    port,
    requests,
    forget: () => void requests.splice(0),
    connections,
    peak: () => peak,
    nextClose: () => new Promise((resolve) => closeListeners.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // The client disconnected: record what it has sent.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function play(fault: Fault, socket: Socket, response: ServerResponse): void {
  switch (fault.kind) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'answer': {
      const body = Buffer.from(fault.body ?? '');
      writeHead(response, fault.status ?? 200, fault.headers ?? {}, body.length, fault.framing ?? 'length');
      response.end(body);
      return;
    }
    case 'cut': {
      const body = Buffer.from(fault.body);
      writeHead(response, 200, fault.headers ?? {}, body.length, fault.framing ?? 'length');
      response.write(body.subarray(0, Math.floor(body.length * fault.fraction)), () => {
        if (fault.how !== 'reset') socket.end();
        // Once a client in this process has read what was sent: a reset that arrives together with the last bytes is
        // reported as a normal close, by libuv.
        else setImmediate(() => setImmediate(() => socket.resetAndDestroy()));
      });
      return;
    }
    case 'hang': {
      if (fault.at === 'head') return;
      const body = Buffer.from(fault.body);
      writeHead(response, 200, fault.headers ?? {}, body.length, 'length');
      response.write(body.subarray(0, Math.floor(body.length * fault.fraction)));
      return;
    }
    case 'hold': {
      const body = Buffer.from(fault.body);
      const at = Math.floor(body.length * fault.fraction);
      writeHead(response, 200, {}, body.length, 'length');
      response.write(body.subarray(0, at));
      void fault.until.then(() => response.end(body.subarray(at)));
      return;
    }
    case 'drip':
      drip(Buffer.from(fault.body), fault.pieces, fault.everyMs, response);
  }
}

function writeHead(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  length: number,
  framing: Framing,
): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (framing === 'length') response.setHeader('content-length', length);
  if (framing === 'close') {
    response.removeHeader('transfer-encoding');
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
}

function drip(body: Buffer, pieces: number, everyMs: number, response: ServerResponse): void {
  const size = Math.ceil(body.length / pieces);
  writeHead(response, 200, {}, body.length, 'length');
  let position = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(position, (position += size)));
    if (position < body.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

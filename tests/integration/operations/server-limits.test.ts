import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createApp } from '../../../src/app/app.js';
import { createCrfClient } from '../../../src/gateways/redcap/create-crf-client.js';
import { createHttpServer, type HttpServerOptions } from '../../../src/http/http-server.js';
import { playIdentity, type PlayedIdentity } from '../../support/play-identity.js';
import { closeServer, listen } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const BODY_TIMEOUT_MS = 300;

describe('OPS-03: the limits of the server', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let identity: PlayedIdentity;
  let client: ReturnType<typeof createCrfClient>;
  let server: Server;

  before(async () => {
    [sandbox, identity] = await Promise.all([startTestSandbox(), playIdentity()]);
    client = createCrfClient(sandbox);
  });
  after(async () => {
    client.close();
    await Promise.all([sandbox.close(), identity.server.stop()]);
  });
  afterEach(() => closeServer(server));

  async function start(options: HttpServerOptions = {}): Promise<void> {
    const app = createApp({
      capture: client,
      access: { allowAnonymous: true },
      auth: { service: identity.auth, trustedOrigins: [] },
      limits: { bodyTimeoutMs: BODY_TIMEOUT_MS },
    });
    server = createHttpServer(app, options);
    await listen(server);
  }

  it('a client that sends its headers byte by byte is cut', async () => {
    await start({ headersTimeoutMs: 300 });
    const socket = open();

    const answer = readText(socket);
    await drip(socket, `GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(10_000)}`);

    expect(await answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('a client that sends its JSON byte by byte is cut, though it is never silent', async () => {
    await start();
    const socket = open();
    socket.write(head('POST /api/v1/auth/signup', 'application/json', 10_000));

    const answer = readText(socket).catch((error: NodeJS.ErrnoException) => error.code);
    await drip(socket, `{"email":"${'a'.repeat(10_000)}`);

    expect(await answer).to.be.oneOf(['', 'ECONNRESET', 'EPIPE']);
  });

  it('an import may take longer than that', async () => {
    await start();
    const socket = open();
    const csv = 'record_id,age\nCOHORT-2026-PARTICIPANT-9001,41\n';
    socket.write(head('POST /api/v1/records', 'text/csv', csv.length));

    const answer = readText(socket);
    socket.write(csv.slice(0, 20));
    await sleep(2 * BODY_TIMEOUT_MS);
    socket.write(csv.slice(20));

    expect(await answer)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.include('"count":1');
  });

  it('headers may have 16 KiB', async () => {
    await start();
    const [inside, beyond] = await Promise.all(
      [15, 17].map((kibibytes) => {
        const socket = open();
        socket.write(`GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: `);
        socket.write(`${'a'.repeat(kibibytes * 1024)}\r\n\r\n`);
        return readText(socket);
      }),
    );

    expect(inside).to.match(/^HTTP\/1\.1 200 /);
    expect(beyond).to.match(/^HTTP\/1\.1 431 /);
  });

  it('silent connections up to the cap keep nobody out for longer than headers may take', async () => {
    await start({ maxConnections: 100, headersTimeoutMs: 5000 });
    const silent = Array.from({ length: 100 }, open);
    const closed = Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));

    expect(await statusOf('/health'), 'while they last').to.equal('');
    await closed;
    expect(await statusOf('/health'), 'when they are cut').to.equal('HTTP/1.1 200 OK');
  });

  function open(): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    return socket.on('error', () => undefined); // it is cut while it sends: that is the point
  }

  async function statusOf(path: string): Promise<string> {
    const socket = open();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await readText(socket).catch(() => '');
    return answer.split('\r\n')[0] ?? '';
  }

  function head(route: string, type: string, length: number): string {
    return `${route} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  }
});

/** Sends a text a byte at a time until it is sent or the connection is closed. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (!socket.writable) return;
    socket.write(byte);
    await sleep(20);
  }
}

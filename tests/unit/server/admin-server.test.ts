import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { rejection } from '../../support/rejection.js';
import { startAdminServer, type AdminServer } from '../../../src/server/admin-server.js';

const METRICS = { contentType: 'text/plain', text: () => Promise.resolve('crf_up 1') };

/** Starts the server with a readiness, or one whose parts fail. */
function start(
  status: 'ready' | 'degraded' | 'not_ready' | 'broken',
  host = '127.0.0.1',
): Promise<AdminServer> {
  const broken = () => Promise.reject(new Error('SENTINEL'));
  const readiness = () => Promise.resolve({ status: status as 'ready', checks: {} } as never);
  return startAdminServer(
    { port: 0, host },
    status === 'broken'
      ? { health: { readiness: broken }, metrics: { ...METRICS, text: broken } }
      : { health: { readiness }, metrics: METRICS },
  );
}

async function ask(server: AdminServer, path: string, host?: string): Promise<[number | undefined, string]> {
  const asked = request(server.url + path, {
    agent: false,
    ...(host !== undefined && { headers: { host } }),
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [Parameters<typeof text>[0] & { statusCode?: number }];
  return [answer.statusCode, await text(answer)];
}

describe('The admin server', () => {
  let server: AdminServer;
  afterEach(() => server.close());

  for (const [status, expected] of [
    ['ready', 200],
    ['degraded', 200],
    ['not_ready', 503],
  ] as const) {
    it(`OPS-01: answers ${expected} on /ready while the service is ${status}`, async () => {
      server = await start(status);

      const [code, body] = await ask(server, '/ready');

      expect(code).to.equal(expected);
      expect(JSON.parse(body)).to.have.property('status', status);
    });
  }

  for (const path of ['/ready', '/metrics']) {
    it(`OPS-01: answers an empty 500 if ${path} fails, and stays alive`, async () => {
      server = await start('broken');

      expect(await ask(server, path)).to.deep.equal([500, '']);
      expect((await ask(server, '/live'))[0]).to.equal(200);
    });
  }

  for (const host of ['127.0.0.1', '127.0.0.1:9464', 'localhost:9464', '[::1]:9464', 'LOCALHOST']) {
    it(`OPS-01: answers requests for ${host} on loopback`, async () => {
      server = await start('ready');

      expect((await ask(server, '/metrics', host))[0]).to.equal(200);
    });
  }

  for (const host of [
    'rebound.example.org',
    'rebound.example.org:9464',
    'localhost.example.org',
    '192.0.2.7',
  ]) {
    it(`OPS-01: refuses the host name ${host} on loopback, to which a page may have resolved its own`, async () => {
      server = await start('ready');

      for (const path of ['/live', '/ready', '/metrics', '/'])
        expect(await ask(server, path, host)).to.deep.equal([421, '']);
    });
  }

  it('OPS-01: answers GET and HEAD at its three paths, in their media types, and lets nobody keep it', async () => {
    server = await start('ready');

    for (const [path, type, body] of [
      ['/live', 'application/json; charset=utf-8', '{"status":"ok"}'],
      ['/ready', 'application/json; charset=utf-8', '{"status":"ready","checks":{}}'],
      ['/metrics', 'text/plain', 'crf_up 1'],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(server.url + path, { method });
        expect([answer.status, await answer.text()]).to.deep.equal([200, method === 'GET' ? body : '']);
        expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).to.deep.equal([
          type,
          'no-store',
        ]);
      }
  });

  it('OPS-01: refuses other methods and paths without a word', async () => {
    server = await start('ready');

    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(`${server.url}/live`, { method });
      expect([answer.status, answer.headers.get('allow'), await answer.text()]).to.deep.equal([
        405,
        'GET, HEAD',
        '',
      ]);
    }
    for (const path of ['/', '/nowhere', '/live/', '/ready?x=1'])
      expect(await ask(server, path)).to.deep.equal([404, '']);
  });

  it('OPS-01: refuses a request that names no host on loopback', async () => {
    server = await start('ready');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /live HTTP/1.0\r\n\r\n');

    expect(await text(socket)).to.match(/^HTTP\/1\.1 421 /);
  });

  for (const hosts of [
    'Host: localhost\r\nHost: evil',
    'Host: evil\r\nHost: localhost',
    'Host: a@localhost',
    'X: y',
  ])
    it(`OPS-01: refuses ${JSON.stringify(hosts)}, of which a proxy may use another host`, async () => {
      server = await start('ready');
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      socket.write(`GET /live HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);

      expect(await text(socket)).to.match(/^HTTP\/1\.1 400 /);
    });

  it('OPS-01: takes the host of a whole URL for that of its header', async () => {
    server = await start('ready');
    const { hostname, port } = new URL(server.url);
    for (const [host, status] of [
      ['evil', 421],
      ['localhost', 200],
    ] as const) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET http://${host}/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

      expect(await text(socket)).to.include(`HTTP/1.1 ${status} `);
    }
  });

  it('OPS-01: closes its port and its connections', async () => {
    const first = await start('ready');
    const { hostname, port } = new URL(first.url);
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    const closed = once(idle.resume(), 'close');

    await first.close();
    await closed;
    // The port is free again.
    server = await startAdminServer(
      { port: Number(port), host: hostname },
      { health: { readiness: () => Promise.reject(new Error()) }, metrics: METRICS },
    );
  });

  it('names its settings if it cannot listen', async () => {
    server = await start('ready');
    const parts = { health: { readiness: () => Promise.reject(new Error()) }, metrics: METRICS };
    const taken = { port: Number(new URL(server.url).port), host: '127.0.0.1' };

    expect(await rejection(startAdminServer(taken, parts)))
      .to.have.property('message')
      .that.includes('ADMIN_PORT');
    expect(await rejection(startAdminServer({ port: 0, host: '192.0.2.7' }, parts)))
      .to.have.property('message')
      .that.includes('ADMIN_HOST');
  });

  it('OPS-01: answers any host name on an address that the operator has opened, as probes use several', async () => {
    server = await start('ready', '0.0.0.0');
    const { port } = new URL(server.url);

    expect((await ask({ ...server, url: `http://127.0.0.1:${port}` }, '/live', 'crf.svc'))[0]).to.equal(200);
  });

  it('OPS-03: holds at most 64 connections, and serves again when they close', async () => {
    server = await start('ready');
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    for (let index = 0; index < 64; index += 1) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      sockets.push(socket);
    }
    // The last connection is accepted once the server has seen it.
    await new Promise(setImmediate);

    const refused = connect(Number(port), hostname).on('error', () => undefined);
    refused.write('GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(refused, 'close');
    expect(refused.bytesRead).to.equal(0);

    for (const socket of sockets) {
      socket.destroy();
      await once(socket, 'close');
    }
    let status: number | undefined;
    while (status === undefined)
      status = await ask(server, '/live').then(
        ([code]) => code,
        () => undefined,
      );
    expect(status).to.equal(200);
  });
});

import { expect } from 'chai';
import express from 'express';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createAuthRouter, problemHandler } from '../../../src/hooks.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { closeServer, listen } from '../../support/start-service.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Sends a request whose body never comes, and returns the status of the answer. */
function statusWithoutBody(
  server: Server,
  path: string,
  { type, headers = {} }: { readonly type: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': type,
    'content-length': '100',
    'sec-fetch-site': 'same-origin',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.once('data', (answer: Buffer) => {
      resolve(Number(answer.toString('latin1').split(' ')[1]));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('A request of a network that is at its limit, or of nobody, is answered before its body is read', () => {
  describe('in the service', () => {
    let running: ServiceWithAuth;
    beforeEach(async () => {
      running = await startServiceWithAuth();
    });
    afterEach(() => running.close());

    for (const [path, type] of [
      ['/api/v1/auth/signup', JSON_TYPE],
      ['/login/send', FORM],
    ] as const) {
      it(`RATE-01: POST ${path}, after five requests for links`, async () => {
        const browser = running.browser();
        for (let times = 0; times < 5; times += 1)
          await browser.post('/api/v1/auth/signup', { email: `p${times}@example.org` });

        expect(await statusWithoutBody(running.service.server, path, { type })).to.equal(429);
      });
    }

    for (const path of ['/login/confirm', '/login/other-device', '/login/code']) {
      it(`RATE-01: POST ${path}, after ten links that were not valid`, async () => {
        for (let times = 0; times < 10; times += 1)
          await running.browser().send('/login?userId=ada&secret=a%20b');

        expect(await statusWithoutBody(running.service.server, path, { type: FORM })).to.equal(429);
      });
    }

    for (const path of ['/dashboard/sessions/end', '/dashboard/delete-account', '/try-file']) {
      it(`POST ${path} of a visitor who is not signed in`, async () => {
        expect(await statusWithoutBody(running.service.server, path, { type: FORM })).to.equal(303);
      });
    }

    for (const path of [
      '/login/send',
      '/login/confirm',
      '/login/other-device',
      '/login/code',
      '/dashboard/sessions/end',
      '/dashboard/sign-out',
      '/dashboard/delete-account',
      '/try-file',
    ]) {
      it(`CSRF-01: POST ${path} from another site`, async () => {
        const headers = { 'sec-fetch-site': 'cross-site' };
        const status = await statusWithoutBody(running.service.server, path, { type: FORM, headers });

        expect(status).to.equal(403);
      });
    }
  });

  describe('in a host application', () => {
    let auth: TestAuth;
    let server: Server;
    let client: SignInClient;

    beforeEach(async () => {
      auth = await startAuth();
      server = createServer();
      const origin = await listen(server);
      server.on('request', express().use(createAuthRouter(auth.service, { origin }), problemHandler()));
      client = new SignInClient(origin);
    });
    afterEach(async () => {
      await closeServer(server);
      await auth.server.stop();
    });

    it('RATE-01: POST /api/v1/auth/signup, after five requests for links', async () => {
      for (let times = 0; times < 5; times += 1)
        await client.post('/api/v1/auth/signup', { email: `p${times}@example.org` });

      expect(await statusWithoutBody(server, '/api/v1/auth/signup', { type: JSON_TYPE })).to.equal(429);
    });

    it('RATE-01: POST /login/confirm, after ten links that were not valid', async () => {
      for (let times = 0; times < 10; times += 1) await client.send('/login?userId=ada&secret=a%20b');

      expect(await statusWithoutBody(server, '/login/confirm', { type: FORM })).to.equal(429);
    });

    for (const path of ['/api/v1/auth/signup', '/login/confirm', '/api/v1/auth/logout']) {
      it(`CSRF-01: POST ${path} from another site`, async () => {
        const headers = { 'sec-fetch-site': 'cross-site' };

        expect(await statusWithoutBody(server, path, { type: FORM, headers })).to.equal(403);
      });
    }
  });
});

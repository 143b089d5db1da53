import { expect } from 'chai';
import express from 'express';
import { createServer, type Server } from 'node:http';
import { createAuthRouter, problemHandler, type LimitStoreFactory } from '../../../src/hooks.js';
import { BoundedStore } from '../../../src/http/middleware/limits/bounded-store.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { closeServer, listen } from '../../support/start-service.js';

describe('The body of a signup in a host application', () => {
  let auth: TestAuth;
  let server: Server;
  let client: SignInClient;

  beforeEach(async () => {
    auth = await startAuth();
    server = createServer();
    const origin = await listen(server);
    const app = express().use(createAuthRouter(auth.service, { origin }), problemHandler());
    server.on('request', app);
    client = new SignInClient(origin);
  });
  afterEach(async () => {
    await closeServer(server);
    await auth.server.stop();
  });

  async function refusal(body: string, headers = {}): Promise<[number, string]> {
    const answer = await client.post('/api/v1/auth/signup', body, headers);
    return [answer.status, ((await answer.json()) as { code: string }).code];
  }

  const refused: readonly (readonly [string, string, Record<string, string>, number, string])[] = [
    [
      'IN-03: in UTF-7, in which the nesting cannot be counted',
      '{"email":"ada@example.org"}',
      { 'content-type': 'application/json; charset=utf-7' },
      415,
      'unsupported_media_type',
    ],
    [
      'IN-03: nested 33 levels deep',
      `{"email":"ada@example.org","x":${'['.repeat(32)}${']'.repeat(32)}}`,
      {},
      400,
      'malformed_request',
    ],
    ['IN-03: with a thousand brackets and no end', '['.repeat(1_000), {}, 400, 'malformed_request'],
    [
      'IN-04: with a key that changes a prototype',
      '{"email":"ada@example.org","__proto__":{}}',
      {},
      400,
      'malformed_request',
    ],
    ['that is not JSON', '{', {}, 400, 'malformed_request'],
    [
      'of another media type',
      '{"email":"ada@example.org"}',
      { 'content-type': 'text/plain' },
      400,
      'invalid_request',
    ],
  ];
  for (const [name, body, headers, status, code] of refused) {
    it(`${name}, is refused`, async () => {
      expect(await refusal(body, headers)).to.deep.equal([status, code]);
      expect(auth.server.requests).to.have.length(0);
    });
  }

  it('is accepted in UTF-8', async () => {
    const type = { 'content-type': 'application/json; charset=utf-8' };

    const answer = await client.post('/api/v1/auth/signup', { email: 'ada@example.org' }, type);

    expect(answer.status).to.equal(200);
  });
});

describe('The limits of a host application with several processes', () => {
  it('RATE-01, RATE-06: count signups together in shared stores', async () => {
    const auth = await startAuth();
    const stores = new Map<string, BoundedStore>();
    const limitStores: LimitStoreFactory = ({ name, limit, windowMs }) => {
      const store = stores.get(name) ?? new BoundedStore(limit, { windowMs });
      stores.set(name, store);
      return store;
    };
    const servers = [createServer(), createServer()];
    const statuses: number[] = [];
    for (const server of servers) {
      const origin = await listen(server);
      const router = createAuthRouter(auth.service, { origin, limitStores });
      server.on('request', express().use(router, problemHandler()));
      statuses.push(
        (await new SignInClient(origin).post('/api/v1/auth/signup', { email: 'ada@example.org' })).status,
      );
    }
    await Promise.all([...servers.map(closeServer), auth.server.stop()]);

    expect(statuses).to.deep.equal([200, 429]);
  });
});

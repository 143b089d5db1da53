import { expect } from 'chai';
import type { Express } from 'express';
import { once } from 'node:events';
import { get, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { BoundedStore } from '../../../../../src/http/middleware/limits/bounded-store.js';
import { failureLimit, type LimitOptions } from '../../../../../src/http/middleware/limits/limits.js';
import type { LimitStore, LimitStoreRequest } from '../../../../../src/http/middleware/limits/limit-store.js';
import { appBehind } from '../../../../support/app-behind.js';

/** A store that tells when it has counted. */
class WatchedStore extends BoundedStore {
  readonly counted: string[] = [];
  onCount: () => void = () => undefined;

  override increment(key: string) {
    this.counted.push(key);
    this.onCount();
    return super.increment(key);
  }

  /** Resolves when the next failure is counted. */
  next(): Promise<void> {
    return new Promise((resolve) => (this.onCount = resolve));
  }
}

const failures = (rest: Partial<LimitOptions> = {}) =>
  failureLimit({ name: 'test', limit: 2, windowMs: 30_000, ...rest }, ({ query }) =>
    query.skip === 'yes' ? undefined : ((query.key as string | undefined) ?? 'a'),
  );

describe('failureLimit', () => {
  let server: Server | undefined;
  let client: ClientRequest | undefined;
  afterEach(() => {
    server?.close();
    [server, client] = [undefined, undefined];
  });

  /** Sends a request without waiting for the response. */
  async function clientOf(app: Express): Promise<ClientRequest> {
    server = app.listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return get({ port }).on('error', () => undefined);
  }

  it('RATE-01: refuses a key after its last allowed failure, until the window ends', async () => {
    const clock = { now: 0 };
    const app = appBehind(failures({ clock: () => clock.now }));
    const open = (query: object) => request(app).get('/').query(query);

    expect((await open({ status: 401 })).status).to.equal(401);
    expect((await open({ status: 401 })).status).to.equal(401);
    clock.now = 29_000;
    const refused = await open({});
    expect([
      refused.status,
      refused.headers['retry-after'],
      refused.headers['ratelimit-policy'],
    ]).to.deep.equal([429, '1', '"test"; q=2; w=30']);
    expect((await open({ key: 'b' })).status, 'another key').to.equal(200);
    expect((await open({ skip: 'yes' })).status, 'without a limit').to.equal(200);
    clock.now = 30_000;
    expect((await open({})).status, 'in the next window').to.equal(200);
  });

  it('RATE-04: keeps refusing a key while many others fail', async () => {
    const app = appBehind(failures({ maxKeys: 2 }));
    const open = (query: object) => request(app).get('/').query(query);
    for (const key of ['a', 'a', 'b', 'c', 'd']) await open({ key, status: 401 });

    expect((await open({ key: 'a' })).status).to.equal(429);
  });

  it('RATE-01: counts only refusals with 401', async () => {
    const store = new WatchedStore(2);
    const app = appBehind(failures({ stores: () => store }));
    for (const status of [200, 302, 400, 403, 429, 500, 503]) await request(app).get('/').query({ status });

    const counted = store.next();
    await request(app).get('/').query({ status: 401 });
    await counted;

    expect(store.counted).to.deep.equal(['a']);
  });

  it('RATE-01: counts a client that disconnects before the response', async () => {
    const store = new WatchedStore(2);
    const app = appBehind(failures({ stores: () => store }), () => client?.destroy());
    const counted = store.next();
    client = await clientOf(app);

    await counted;
    expect(store.counted).to.deep.equal(['a']);
  });

  it('RATE-01: counts a client that disconnected while the store was asked', async () => {
    const store = new WatchedStore(2);
    let closed: Promise<unknown> | undefined;
    const find = async () => {
      client?.destroy();
      await closed;
      return undefined;
    };
    const increment = (key: string) => store.increment(key);
    const app = appBehind(
      (_request, response, next) => {
        closed = once(response, 'close');
        next();
      },
      failures({ stores: () => ({ get: find, increment }) }),
    );
    const counted = store.next();
    client = await clientOf(app);

    await counted;
    expect(store.counted).to.deep.equal(['a']);
  });

  it('RATE-06: asks the store that is created for it', async () => {
    const requested: LimitStoreRequest[] = [];
    const full = { totalHits: 2, resetTime: new Date(Date.now() + 30_000) };
    const stores = (wanted: LimitStoreRequest): LimitStore => {
      requested.push(wanted);
      return { get: (key) => (key === 'a' ? full : undefined), increment: () => full };
    };
    const app = appBehind(failures({ stores }));

    expect((await request(app).get('/')).status).to.equal(429);
    expect((await request(app).get('/').query({ key: 'b' })).status).to.equal(200);
    expect(requested).to.deep.equal([{ name: 'test', limit: 2, windowMs: 30_000 }]);
  });

  it('RATE-06: lets nobody in while the store fails, and ignores a failure that cannot be counted', async () => {
    const fails = () => Promise.reject(new Error('down'));
    const broken = appBehind(failures({ stores: () => ({ get: fails, increment: fails }) }));
    const halfBroken = appBehind(failures({ stores: () => ({ get: () => undefined, increment: fails }) }));

    const answer = await request(broken).get('/');
    expect([answer.status, answer.headers['retry-after'], answer.body]).to.deep.equal([
      503,
      '5',
      { code: 'overloaded' },
    ]);
    expect((await request(halfBroken).get('/').query({ status: 401 })).status).to.equal(401);
  });
});

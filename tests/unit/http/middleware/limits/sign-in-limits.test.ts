import { expect } from 'chai';
import { createHash } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { RateLimitedError } from '../../../../../src/domain/errors/access-errors.js';
import { BoundedStore } from '../../../../../src/http/middleware/limits/bounded-store.js';
import type { LimitStoreFactory } from '../../../../../src/http/middleware/limits/limit-store.js';
import { createSignInLimits } from '../../../../../src/http/middleware/limits/sign-in-limits.js';
import { appBehind } from '../../../../support/app-behind.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Answers 200 behind the limits, or the status given in the body. Time stands still until the test advances it. */
function start() {
  const clock = { now: 1_000_000 };
  const limits = createSignInLimits(
    (address) => (address.includes('@') ? address.toLowerCase() : undefined),
    { clock: () => clock.now },
  );
  const answer = (incoming: Request, response: Response): void => {
    const { status = 200 } = (incoming.body ?? {}) as { status?: number };
    response.status(status).end();
  };
  const app = express();
  app.set('trust proxy', 1);
  app.post('/signup', ...limits.signup(express.json()), answer);
  app.all('/login', ...limits.login, express.json(), answer);
  app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
    if (!(error instanceof RateLimitedError)) throw error;
    response.status(429).setHeader('Retry-After', String(error.retryAfterSeconds)).end();
  });
  return {
    clock,
    ask: (email: unknown, network: string) =>
      request(app).post('/signup').set('X-Forwarded-For', network).send({ email }),
    open: (status: number, network: string) =>
      request(app).post('/login').set('X-Forwarded-For', network).send({ status }),
  };
}

/** Returns an address that no other index has. */
const person = (index: number): string => `p${index}@example.org`;
const network = (index: number): string => `192.0.2.${index}`;

describe('createSignInLimits', () => {
  it('RATE-01: allows a network 5 links a minute, and more a minute later', async () => {
    const { clock, ask } = start();
    for (let index = 0; index < 5; index += 1) {
      expect((await ask(person(index), network(1))).status).to.equal(200);
    }

    const refused = await ask(person(6), network(1));
    expect(refused.status).to.equal(429);
    expect(refused.headers['retry-after']).to.equal('60');
    expect((await ask(person(6), network(2))).status, 'another network').to.equal(200);

    clock.now += MINUTE - 1;
    expect((await ask(person(7), network(1))).status, 'a moment too soon').to.equal(429);
    clock.now += 1;
    expect((await ask(person(7), network(1))).status, 'a minute later').to.equal(200);
  });

  it('RATE-01: allows a network 30 links an hour', async () => {
    const { clock, ask } = start();
    for (let index = 0; index < 30; index += 1) {
      expect((await ask(person(index), network(1))).status, `link ${index + 1}`).to.equal(200);
      if (index % 5 === 4) clock.now += MINUTE;
    }

    const refused = await ask(person(30), network(1));
    expect(refused.status).to.equal(429);
    expect(refused.headers['retry-after']).to.equal(String(54 * 60));
    clock.now += HOUR - 6 * MINUTE;
    expect((await ask(person(31), network(1))).status, 'an hour after the first').to.equal(200);
  });

  it('RATE-01: allows an address 1 link a minute and 5 an hour, from any network, counting refused requests', async () => {
    const { clock, ask } = start();
    for (let index = 0; index < 5; index += 1) {
      expect((await ask(person(1), network(index))).status, `link ${index + 1}`).to.equal(200);
      expect((await ask(person(1), network(100 + index))).status, 'in the same minute').to.equal(429);
      clock.now += MINUTE;
    }

    // Refused requests count against the hour too, so requesting more often only extends the wait.
    expect((await ask(person(1), network(50))).status, 'the sixth').to.equal(429);
    expect((await ask(person(2), network(51))).status, 'another address').to.equal(200);
    clock.now += HOUR;
    expect((await ask(person(1), network(52))).status, 'an hour later').to.equal(200);
  });

  it('RATE-01: refuses an address a sixth link in an hour, even if they are minutes apart', async () => {
    const { clock, ask } = start();
    for (let index = 0; index < 5; index += 1) {
      expect((await ask(person(1), network(index))).status).to.equal(200);
      clock.now += 2 * MINUTE;
    }

    expect((await ask(person(1), network(9))).status).to.equal(429);
  });

  it('RATE-01: allows 60 links a minute in total', async () => {
    const { clock, ask } = start();
    for (let index = 0; index < 60; index += 1) {
      expect((await ask(person(index), network(index))).status, `link ${index + 1}`).to.equal(200);
    }

    expect((await ask(person(60), network(60))).status).to.equal(429);
    clock.now += MINUTE;
    expect((await ask(person(60), network(60))).status).to.equal(200);
  });

  it('RATE-02, MAIL-09: counts spellings and tags of an address together, and different addresses separately', async () => {
    const { ask } = start();

    expect((await ask('ada+1@example.org', network(1))).status).to.equal(200);
    for (const spelling of ['ada@example.org', 'Ada@Example.org', 'ada+2+3@example.org']) {
      expect((await ask(spelling, network(2))).status, spelling).to.equal(429);
    }
    for (const other of ['ad@example.org', 'ada@example.com', 'bada@example.org', 'ada.l@example.org']) {
      expect((await ask(other, network(3))).status, other).to.equal(200);
    }
  });

  it('RATE-02: does not let an invalid address affect other callers', async () => {
    const { ask } = start();
    expect((await ask('nonsense', network(1))).status).to.equal(200);
    expect((await ask(7, network(1))).status).to.equal(200);

    expect((await ask('nonsense', network(2))).status).to.equal(200);
    expect((await ask(person(1), network(1))).status).to.equal(200);
  });

  it('RATE-01: refuses a network after ten failed links in 15 minutes', async () => {
    const { clock, open } = start();
    for (let times = 0; times < 10; times += 1) {
      expect((await open(200, network(1))).status, 'good ones do not count').to.equal(200);
      expect((await open(503, network(1))).status, 'nor does an outage').to.equal(503);
      expect((await open(401, network(1))).status).to.equal(401);
    }

    const refused = await open(200, network(1));
    expect(refused.status).to.equal(429);
    expect(refused.headers).to.include({
      'retry-after': '900',
      ratelimit: '"login-failures"; r=0; t=900',
      'ratelimit-policy': '"login-failures"; q=10; w=900',
    });
    expect((await open(200, network(2))).status, 'another network').to.equal(200);
    clock.now += 15 * MINUTE - 1;
    expect((await open(200, network(1))).status, 'a moment too soon').to.equal(429);
    clock.now += 1;
    expect((await open(200, network(1))).status, 'a quarter of an hour later').to.equal(200);
  });

  it('RATE-01: has the documented limits, which the sandbox raises 50-fold', () => {
    const limitsOf = (isSandbox?: boolean) => {
      const found: Record<string, readonly [limit: number, windowMs: number]> = {};
      const stores: LimitStoreFactory = ({ name, limit, windowMs }) => {
        found[name] = [limit, windowMs];
        return new BoundedStore(limit);
      };
      createSignInLimits((address) => address, { stores, ...(isSandbox !== undefined && { isSandbox }) });
      return found;
    };

    expect(limitsOf()).to.deep.equal({
      'network-minute': [5, MINUTE],
      'network-hour': [30, HOUR],
      'address-minute': [1, MINUTE],
      'address-hour': [5, HOUR],
      'all-minute': [60, MINUTE],
      'login-failures': [10, 15 * MINUTE],
    });
    const raised = Object.entries(limitsOf()).map(([name, [limit, ms]]) => [name, [50 * limit, ms]]);
    expect(limitsOf(true)).to.deep.equal(Object.fromEntries(raised));
  });

  it('RATE-02: counts a digest of the address, not the address itself', async () => {
    const keys: string[] = [];
    const stores: LimitStoreFactory = ({ limit }) => {
      const store = new BoundedStore(limit);
      return {
        get: (key) => store.get(key),
        increment: (key) => {
          keys.push(key);
          return store.increment(key);
        },
      };
    };
    const { signup } = createSignInLimits((address) => address, { stores });

    await request(appBehind(...signup(express.json())))
      .post('/')
      .set('X-Forwarded-For', network(1))
      .send({ email: person(1) });

    const digest = createHash('sha256').update(person(1)).digest('base64url');
    expect(keys).to.deep.equal([network(1), network(1), digest, digest, 'all']);
  });

  it('RATE-02: counts a request without a body only by network', async () => {
    const app = appBehind(...createSignInLimits((address) => address).signup(express.json()));
    const seen: number[] = [];
    for (let times = 0; times < 6; times += 1) seen.push((await request(app).post('/')).status);

    expect(seen).to.deep.equal([200, 200, 200, 200, 200, 429]);
  });

  it('RATE-01: counts the use of a link by a person, and nothing else', async () => {
    const app = appBehind(...createSignInLimits((address) => address).login);
    const fail = { status: 401, secret: 'wrong' };
    for (let times = 0; times < 12; times += 1) {
      await request(app).get('/').query({ status: 401 });
      await request(app).head('/').query(fail);
      await request(app).get('/').set('Sec-Purpose', 'prefetch').query(fail);
    }
    for (let times = 0; times < 5; times += 1) {
      expect((await request(app).get('/').query(fail)).status).to.equal(401);
      expect((await request(app).post('/').query({ status: 401 })).status).to.equal(401);
    }

    expect((await request(app).get('/').query(fail)).status).to.equal(429);
    expect((await request(app).post('/')).status).to.equal(429);
    expect((await request(app).get('/')).status, 'the page that asks for an address').to.equal(200);
    expect((await request(app).head('/').query(fail)).status, 'an invisible load').to.equal(401);
  });
});

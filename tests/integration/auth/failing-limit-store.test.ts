import { expect } from 'chai';
import { createApiLimits } from '../../../src/middleware/limits/api-limits.js';
import { BoundedStore } from '../../../src/middleware/limits/bounded-store.js';
import type { LimitStoreFactory } from '../../../src/middleware/limits/limit-store.js';
import { startPlayedService, type PlayedService } from '../../support/start-played-service.js';

describe('The limits on a store of their own', () => {
  let running: PlayedService;
  let isBroken: boolean;
  let names: string[];

  /** A store as a remote one answers: with promises, and with failures while it is broken. */
  const stores: LimitStoreFactory = ({ name, limit, windowMs }) => {
    names.push(name);
    const store = new BoundedStore(limit);
    store.init({ windowMs });
    const answer = <Value>(value: () => Value): Promise<Value> =>
      isBroken ? Promise.reject(new Error('SENTINEL of the store')) : Promise.resolve(value());
    return {
      get: (key) => answer(() => store.get(key)),
      increment: (key) => answer(() => store.increment(key)),
    };
  };

  beforeEach(async () => {
    [isBroken, names] = [false, []];
    running = await startPlayedService({}, { limits: { callsPerMinute: 2, failedAuthPerMinute: 2, stores } });
  });
  afterEach(() => running.close());

  const signup = (name: string) =>
    running.browser().post('/api/v1/auth/signup', { email: `${name}@example.org` });
  const useLink = (secret: string) => running.browser().send(`/login?userId=ada&secret=${secret}`);
  const call = () =>
    fetch(new URL('/api/v1/project/version', running.service.url), {
      headers: { authorization: running.service.authorization },
    });

  it('RATE-06: each limit has a store of its own, distinguished by name', () => {
    expect(names).to.have.members([
      ...['api-minute', 'failed-auth-minute', 'login-failures'],
      ...['network-minute', 'network-hour', 'address-minute', 'address-hour', 'all-minute'],
    ]);
  });

  it('RATE-06: it counts links that are asked for, links that fail and calls', async () => {
    const asked = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) asked.push((await signup(name)).status);
    const called = [await call(), await call(), await call()].map(({ status }) => status);
    const failed = [];
    for (let count = 0; count < 11; count += 1) failed.push((await useLink('a%20b')).status);

    expect(asked).to.deep.equal([200, 200, 200, 200, 200, 429]);
    expect(called).to.deep.equal([200, 200, 429]);
    expect(failed).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });

  it('RATE-06: while it fails, signup and login are 503 with Retry-After, and ask nothing upstream', async () => {
    isBroken = true;

    for (const answer of [await signup('ada'), await useLink('good')]) {
      const text = await answer.text();
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '5']);
      expect(text).to.include('overloaded').and.to.not.include('SENTINEL');
    }
    expect(running.played.server.requests).to.have.length(0);

    isBroken = false;
    expect((await signup('ada')).status).to.equal(200);
  });

  it('RATE-06: while it fails, calls of the API are counted in memory', async () => {
    isBroken = true;

    const answers = [await call(), await call(), await call()];

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).to.match(/^[1-9]\d?$/);
  });

  it('RATE-06: in memory a call is counted within the same turn', () => {
    const { byNetwork } = createApiLimits({ callerOf: () => Promise.reject(new Error('is not asked')) });
    let hasGoneOn = false;

    void byNetwork({ ip: '127.0.0.1' } as never, {} as never, () => (hasGoneOn = true));

    expect(hasGoneOn).to.equal(true);
  });
});

import { expect } from 'chai';
import { BoundedStore } from '../../../src/http/middleware/limits/bounded-store.js';
import type { LimitStoreFactory } from '../../../src/http/middleware/limits/limit-store.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

describe('The limits with a custom store', () => {
  let running: ServiceWithAuth;
  let isBroken: boolean;
  let names: string[];

  /** A store that answers like a remote one: with promises, and with failures while it is broken. */
  const stores: LimitStoreFactory = ({ name, limit, windowMs }) => {
    names.push(name);
    const store = new BoundedStore(limit, { windowMs });
    const answer = <Value>(value: () => Value): Promise<Value> =>
      isBroken ? Promise.reject(new Error('SENTINEL of the store')) : Promise.resolve(value());
    return {
      get: (key) => answer(() => store.get(key)),
      increment: (key) => answer(() => store.increment(key)),
    };
  };

  beforeEach(async () => {
    [isBroken, names] = [false, []];
    running = await startServiceWithAuth(
      {},
      { limits: { callsPerMinute: 2, failedAuthPerMinute: 2, stores } },
    );
  });
  afterEach(() => running.close());

  const signup = (name: string) =>
    running.browser().post('/api/v1/auth/signup', { email: `${name}@example.org` });
  const useLink = (secret: string) => running.browser().send(`/login?userId=ada&secret=${secret}`);
  const call = () =>
    fetch(new URL('/api/v1/project/version', running.service.url), {
      headers: { authorization: running.service.authorization },
    });

  it('RATE-06: use one named store per limit', () => {
    expect(names).to.have.members([
      'api-minute',
      'failed-auth-minute',
      'login-failures',
      'network-minute',
      'network-hour',
      'address-minute',
      'address-hour',
      'all-minute',
    ]);
  });

  it('RATE-06: count requested links, failed links and calls in the store', async () => {
    const asked = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) asked.push((await signup(name)).status);
    const called = [await call(), await call(), await call()].map(({ status }) => status);
    const failed = [];
    for (let count = 0; count < 11; count += 1) failed.push((await useLink('a%20b')).status);

    expect(asked).to.deep.equal([200, 200, 200, 200, 200, 429]);
    expect(called).to.deep.equal([200, 200, 429]);
    expect(failed).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });

  it('RATE-06: answer signup and login with 503 and Retry-After while it fails, without an upstream request', async () => {
    isBroken = true;

    for (const answer of [await signup('ada'), await useLink('good')]) {
      const text = await answer.text();
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '5']);
      expect(text).to.include('overloaded').and.to.not.include('SENTINEL');
    }
    expect(running.auth.server.requests).to.have.length(0);

    isBroken = false;
    expect((await signup('ada')).status).to.equal(200);
  });

  it('RATE-06: count API calls in memory while it fails', async () => {
    isBroken = true;

    const answers = [await call(), await call(), await call()];

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).to.match(/^[1-9]\d?$/);
  });
});

import { expect } from 'chai';
import request from 'supertest';
import { BoundedStore } from '../../../../../src/http/middleware/limits/bounded-store.js';
import type {
  LimitStoreFactory,
  LimitStoreRequest,
} from '../../../../../src/http/middleware/limits/limit-store.js';
import { limiter, type LimitOptions } from '../../../../../src/http/middleware/limits/limits.js';
import { appBehind } from '../../../../support/app-behind.js';
import { parseFields } from '../../../../support/structured-fields.js';

/** Starts a limit of one request a minute for each `?key=`; requests without one are not counted. */
function start(options: Partial<LimitOptions> = {}) {
  const clock = { now: 0 };
  const app = appBehind(
    limiter(
      { name: 'test', limit: 1, windowMs: 60_000, clock: () => clock.now, ...options },
      ({ query }) => query.key as string | undefined,
    ),
  );
  return { clock, get: (query: Record<string, string>) => request(app).get('/').query(query) };
}

describe('limiter', () => {
  it('RATE-05: answers 429 with the limit, what is left of it, and when to try again', async () => {
    const { clock, get } = start();

    const first = await get({ key: 'a' });
    clock.now = 29_999;
    const second = await get({ key: 'a' });

    expect(first.status).to.equal(200);
    const [policy, left] = [second.headers['ratelimit-policy'], second.headers.ratelimit].map(parseFields);
    expect(policy?.[0]).to.have.property('item', 'test');
    expect(policy?.[0]?.parameters).to.include({ q: 1, w: 60 });
    expect(left?.[0]?.parameters).to.include({ r: 0 });
    expect([second.status, second.headers['retry-after'], second.body]).to.deep.equal([
      429,
      '31',
      { code: 'rate_limited' },
    ]);
    expect(second.headers).to.not.have.property('x-ratelimit-limit');
  });

  it('RATE-05: never asks to try again at once', async () => {
    const stores: LimitStoreFactory = () => ({
      get: () => undefined,
      increment: () => ({ totalHits: 2, resetTime: new Date(-5_000) }),
    });

    expect((await start({ stores }).get({ key: 'a' })).headers['retry-after']).to.equal('1');
  });

  it('RATE-01: counts each key by itself, and not requests without a key', async () => {
    const { get } = start();
    const seen: number[] = [];
    for (const query of [{ key: 'a' }, { key: 'b' }, { key: 'a' }, {}, {}, { key: '' }, { key: '' }]) {
      seen.push((await get(query)).status);
    }

    expect(seen).to.deep.equal([200, 200, 429, 200, 200, 200, 429]);
  });

  it('RATE-04: keeps refusing a key while many others come', async () => {
    const { get } = start({ maxKeys: 2 });
    for (const key of ['a', 'a', 'b', 'c', 'd']) await get({ key });

    expect((await get({ key: 'a' })).status).to.equal(429);
    expect((await get({ key: 'b' })).status, 'forgotten').to.equal(200);
  });

  it('RATE-06: counts in the store that is created for it', async () => {
    const requested: LimitStoreRequest[] = [];
    const stores: LimitStoreFactory = (wanted) => {
      requested.push(wanted);
      return new BoundedStore(wanted.limit);
    };
    const { get } = start({ stores, clock: Date.now });

    expect([(await get({ key: 'a' })).status, (await get({ key: 'a' })).status]).to.deep.equal([200, 429]);
    expect(requested).to.deep.equal([{ name: 'test', limit: 1, windowMs: 60_000 }]);
  });

  it('RATE-06: answers 503 while the store fails', async () => {
    const stores: LimitStoreFactory = () => ({
      get: () => undefined,
      increment: () => Promise.reject(new Error('down')),
    });

    const answer = await start({ stores }).get({ key: 'a' });

    expect([answer.status, answer.headers['retry-after'], answer.body]).to.deep.equal([
      503,
      '5',
      { code: 'overloaded' },
    ]);
  });
});

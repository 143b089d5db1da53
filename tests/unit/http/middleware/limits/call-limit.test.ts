import { expect } from 'chai';
import type { Response } from 'express';
import { callLimit } from '../../../../../src/http/middleware/limits/limits.js';
import type {
  LimitStoreFactory,
  LimitStoreRequest,
} from '../../../../../src/http/middleware/limits/limit-store.js';
import { rejection } from '../../../../support/rejection.js';

/** A limit uses only the headers of an answer. */
function answer(): { headers: Map<string, string>; response: Response } {
  const headers = new Map<string, string>();
  const response = { appendHeader: (name: string, value: string) => headers.set(name, value) };
  return { headers, response: response as unknown as Response };
}

describe('callLimit', () => {
  it('RATE-01: allows the last call and refuses the next, until the minute has passed', async () => {
    let now = 0;
    const count = callLimit({ name: 'test', limit: 2, windowMs: 60_000, clock: () => now });
    const call = () => count('a', answer().response);

    await call();
    now = 59_999;
    await call();
    expect(await rejection(call())).to.have.property('retryAfterSeconds', 1);
    now = 60_000;
    await call();
  });

  it('RATE-05: tells the calls that are left, and rounds the waiting time up', async () => {
    let now = 0;
    const count = callLimit({ name: 'test', limit: 1, windowMs: 60_000, clock: () => now });
    const first = answer();
    await count('a', first.response);
    expect([...first.headers]).to.deep.equal([
      ['RateLimit-Policy', '"test"; q=1; w=60'],
      ['RateLimit', '"test"; r=0; t=60'],
    ]);

    now = 29_999;
    const second = answer();
    expect(await rejection(count('a', second.response))).to.have.property('retryAfterSeconds', 31);
    expect([...second.headers]).to.deep.equal([
      ['RateLimit-Policy', '"test"; q=1; w=60'],
      ['RateLimit', '"test"; r=0; t=31'],
    ]);
  });

  it('RATE-04: keeps refusing a key, however many others call', async () => {
    const count = callLimit({ name: 'test', limit: 1, windowMs: 60_000, maxKeys: 10, clock: () => 0 });
    const isRefused = { code: 'rate_limited' };
    await count('a', answer().response);
    expect(await rejection(count('a', answer().response))).to.include(isRefused);

    for (let index = 0; index < 100; index += 1)
      await count(`key-${index}`, answer().response).catch(() => undefined);

    expect(await rejection(count('a', answer().response))).to.include(isRefused);
  });

  it('RATE-01: counts nothing if the limit is 0', async () => {
    const count = callLimit({ name: 'test', limit: 0, windowMs: 60_000 });

    for (let index = 0; index < 10; index += 1) await count('a', answer().response);
  });

  it('RATE-06: counts in the store that is created for it, and in memory while that fails', async () => {
    const requested: LimitStoreRequest[] = [];
    let isBroken = false;
    const stores: LimitStoreFactory = (wanted) => {
      requested.push(wanted);
      return {
        get: () => undefined,
        increment: () =>
          isBroken ? Promise.reject(new Error('down')) : { totalHits: 2, resetTime: new Date(5_000) },
      };
    };
    const count = callLimit({ name: 'test', limit: 1, windowMs: 60_000, clock: () => 0, stores });
    const call = () => count('a', answer().response);

    expect(await rejection(call())).to.include({ code: 'rate_limited', retryAfterSeconds: 5 });
    isBroken = true;
    await call();
    expect(await rejection(call())).to.include({ code: 'rate_limited', retryAfterSeconds: 60 });
    expect(requested).to.deep.equal([{ name: 'test', limit: 1, windowMs: 60_000 }]);
  });
});

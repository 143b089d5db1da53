import { expect } from 'chai';
import { mock } from 'node:test';
import { SharedStateUnavailableError } from '../../../../../src/domain/errors/operator-errors.js';
import { askStore, type LimitStore } from '../../../../../src/http/middleware/limits/limit-store.js';
import { settled } from '../../../../support/manual-clock.js';
import { rejection } from '../../../../support/rejection.js';

const COUNT = { totalHits: 1, resetTime: new Date(60_000) };

function storeOf(increment: LimitStore['increment'], timeoutMs?: number): LimitStore {
  return { increment, get: () => undefined, ...(timeoutMs !== undefined && { timeoutMs }) };
}

describe('askStore', () => {
  const clock = mock.timers;
  beforeEach(() => clock.enable({ apis: ['setTimeout'] }));
  afterEach(() => clock.reset());

  /** Asks a store that never answers. Returns how the call stands. */
  function neverAnswered(timeoutMs?: number): { error?: unknown } {
    const call: { error?: unknown } = {};
    void rejection(
      askStore(
        storeOf(() => new Promise(() => undefined), timeoutMs),
        (store) => store.increment('a'),
      ),
    ).then((error) => (call.error = error));
    return call;
  }

  it('RATE-06: returns the answer of a store in memory or elsewhere', async () => {
    for (const answer of [COUNT, Promise.resolve(COUNT)]) {
      expect(
        await askStore(
          storeOf(() => answer),
          (store) => store.increment('a'),
        ),
      ).to.equal(COUNT);
    }
  });

  it('RATE-06: reports any failure of a store as an overload, with its cause and when to try again', async () => {
    const cause = new Error('down');
    for (const increment of [
      () => Promise.reject(cause),
      () => {
        throw cause;
      },
    ]) {
      const error = await rejection(askStore(storeOf(increment), (store) => store.increment('a')));
      expect(error).to.include({ code: 'overloaded', retryAfterSeconds: 5, cause });
    }
  });

  it('RATE-06: passes on that the shared state is unavailable', async () => {
    const unavailable = new SharedStateUnavailableError('timeout');

    expect(
      await rejection(
        askStore(
          storeOf(() => Promise.reject(unavailable)),
          (store) => store.increment('a'),
        ),
      ),
    ).to.equal(unavailable);
  });

  it('RATE-06: waits one second for a store, or as long as the store says', async () => {
    for (const [timeoutMs, waitedMs] of [
      [undefined, 1_000],
      [200, 200],
    ] as const) {
      const call = neverAnswered(timeoutMs);
      clock.tick(waitedMs - 1);
      await settled();
      expect(call.error).to.equal(undefined);

      clock.tick(1);
      await settled();
      expect(call.error).to.include({ code: 'overloaded', retryAfterSeconds: 5 });
    }
  });

  it('leaves no timer behind once the store has answered', async () => {
    const cleared = mock.method(globalThis, 'clearTimeout');
    const set = mock.method(globalThis, 'setTimeout');

    await askStore(
      storeOf(() => COUNT),
      (store) => store.increment('a'),
    );

    expect(cleared.mock.calls[0]?.arguments[0]).to.equal(set.mock.calls[0]?.result);
    cleared.mock.restore();
    set.mock.restore();
  });
});

import { expect } from 'chai';
import type { IdempotentResult } from '../../../../src/services/idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from '../../../../src/services/idempotency/memory-idempotency-store.js';
import { rejection } from '../../../support/rejection.js';

const RESULT: IdempotentResult = {
  sha256: 'ab',
  bodyBytes: 1,
  isWholeBody: true,
  outcome: { kind: 'stored', count: 1, batches: 1 },
};

describe('MemoryIdempotencyStore', () => {
  it('UP-07: reserves a key for one of many concurrent callers', async () => {
    const store = new MemoryIdempotencyStore();

    const states = await Promise.all(Array.from({ length: 50 }, () => store.reserve('a')));

    expect(states.filter(({ state }) => state === 'reserved')).to.have.lengthOf(1);
    expect(states.filter(({ state }) => state === 'running')).to.have.lengthOf(49);
  });

  it('UP-07: keeps a result for 24 hours and no longer', async () => {
    let now = 0;
    const store = new MemoryIdempotencyStore({ now: () => now });
    await store.reserve('a');
    await store.complete('a', RESULT);

    now = 24 * 60 * 60 * 1000 - 1;
    expect(await store.reserve('a')).to.deep.equal({ state: 'done', result: RESULT });
    now++;
    expect(await store.reserve('a')).to.deep.equal({ state: 'reserved' });
  });

  it('UP-07: holds a limited number of keys, and drops the oldest result first', async () => {
    const store = new MemoryIdempotencyStore({ maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd']) {
      await store.reserve(key);
      await store.complete(key, RESULT);
    }

    expect(store.size).to.equal(3);
    expect((await store.reserve('d')).state).to.equal('done');
    expect((await store.reserve('a')).state).to.equal('reserved');
  });

  it('UP-07: never drops a running key', async () => {
    const store = new MemoryIdempotencyStore({ maxKeys: 2 });
    await store.reserve('a');
    await store.reserve('b');

    expect(await rejection(store.reserve('c'))).to.include({ code: 'overloaded' });
    expect((await store.reserve('a')).state).to.equal('running');
  });

  it('makes a released key available again', async () => {
    const store = new MemoryIdempotencyStore();
    await store.reserve('a');
    await store.release('a');

    expect((await store.reserve('a')).state).to.equal('reserved');
  });
});

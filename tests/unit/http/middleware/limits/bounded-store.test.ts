import { expect } from 'chai';
import { BoundedStore } from '../../../../../src/http/middleware/limits/bounded-store.js';

describe('BoundedStore', () => {
  it('RATE-04: drops expired keys first', () => {
    let now = 0;
    const store = new BoundedStore(5, { maxKeys: 3, clock: () => now });
    store.increment('old');
    now = 59_000;
    store.increment('young');
    now = 61_000;
    store.increment('new');
    store.increment('newer');

    expect(store.get('old')).to.be.undefined;
    expect(store.get('young')?.totalHits).to.equal(1);
  });

  it('refuses a new key if every stored key is blocked', () => {
    const store = new BoundedStore(1, { maxKeys: 2, clock: () => 0 });
    for (const key of ['a', 'a', 'b', 'b']) store.increment(key);

    expect(store.increment('c').totalHits).to.equal(2);
    expect(store.size).to.equal(2);
  });

  it('restarts the count when the clock is set back, which would extend the window', () => {
    let now = 3_600_000;
    const store = new BoundedStore(1, { maxKeys: 10, clock: () => now });
    for (let hit = 0; hit < 3; hit += 1) store.increment('blocked');

    now = 0;
    store.increment('blocked');

    expect(store.get('blocked')?.resetTime.getTime()).to.equal(60_000);
  });

  it('restarts the count when the window ends', () => {
    let now = 0;
    const store = new BoundedStore(1, { maxKeys: 10, clock: () => now });
    store.increment('a');
    store.increment('a');
    now = 60_000;

    expect(store.increment('a').totalHits).to.equal(1);
  });

  it('has windows of a minute by the real time unless told otherwise', () => {
    const before = Date.now();
    const { resetTime } = new BoundedStore(1).increment('a');

    expect(resetTime.getTime()).to.be.within(before + 60_000, Date.now() + 60_000);
  });

  it('forgets a key at the moment its window ends, or if the clock is set back before its start', () => {
    for (const [now, hits] of [
      [99_999, undefined],
      [100_000, 1],
      [159_999, 1],
      [160_000, undefined],
    ] as const) {
      const clock = { now: 100_000 };
      const store = new BoundedStore(5, { maxKeys: 10, clock: () => clock.now });
      store.increment('a');
      clock.now = now;

      expect(store.get('a')?.totalHits, String(now)).to.equal(hits);
    }
  });

  it('RATE-04: may forget a key that has only reached the limit', () => {
    const store = new BoundedStore(1, { maxKeys: 2, clock: () => 0 });
    for (const key of ['a', 'b', 'c']) store.increment(key);

    expect([store.get('a'), store.get('c')?.totalHits]).to.deep.equal([undefined, 1]);
  });

  it('RATE-04: drops the expired keys of each kind once in a window', () => {
    const clock = { now: 0 };
    const store = new BoundedStore(1, { maxKeys: 100, clock: () => clock.now });
    for (let index = 0; index < 9; index += 1) {
      for (const key of [`open-${index}`, `blocked-${index}`, `blocked-${index}`]) store.increment(key);
    }
    expect(store.size).to.equal(18);

    clock.now = 60_000;
    store.increment('new');

    expect(store.size).to.equal(1);
  });

  it('RATE-04: keeps a bounded number of keys, and a blocked key among a million new ones', () => {
    const store = new BoundedStore(2, { maxKeys: 1000, clock: () => 0 });
    for (let hit = 0; hit < 3; hit += 1) store.increment('blocked');

    for (let index = 0; index < 1_000_000; index += 1) store.increment(`key-${index}`);

    expect(store.size).to.be.at.most(1000);
    expect(store.get('blocked')?.totalHits).to.equal(3);
  });
});

import { expect } from 'chai';
import { BoundedStore } from '../../../../src/middleware/limits/bounded-store.js';

const MINUTE = { windowMs: 60_000 } as never;

describe('BoundedStore', () => {
  it('RATE-04: drops expired keys first', () => {
    let now = 0;
    const store = new BoundedStore(5, 3, () => now);
    store.init(MINUTE);
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
    const store = new BoundedStore(1, 2, () => 0);
    store.init(MINUTE);
    for (const key of ['a', 'a', 'b', 'b']) store.increment(key);

    expect(store.increment('c').totalHits).to.equal(2);
    expect(store.size).to.equal(2);
  });

  it('restarts the count when the clock is set back, which would extend the window', () => {
    let now = 3_600_000;
    const store = new BoundedStore(1, 10, () => now);
    store.init(MINUTE);
    for (let hit = 0; hit < 3; hit += 1) store.increment('blocked');

    now = 0;
    store.increment('blocked');

    expect(store.get('blocked')?.resetTime.getTime()).to.equal(60_000);
  });

  it('restarts the count when the window ends', () => {
    let now = 0;
    const store = new BoundedStore(1, 10, () => now);
    store.init(MINUTE);
    store.increment('a');
    store.increment('a');
    now = 60_000;

    expect(store.increment('a').totalHits).to.equal(1);
  });

  it('decrements and resets the count of a key, and resets all keys', () => {
    const store = new BoundedStore(5, 10, () => 0);
    store.init(MINUTE);
    store.increment('a');
    store.increment('a');
    store.decrement('a');

    expect(store.get('a')?.totalHits).to.equal(1);
    store.resetKey('a');
    expect(store.get('a')).to.be.undefined;
    store.increment('b');
    store.resetAll();
    expect(store.size).to.equal(0);
  });

  it('resets blocked keys too', () => {
    const store = new BoundedStore(1, 10, () => 0);
    for (const key of ['a', 'a', 'b', 'b']) store.increment(key);

    store.resetKey('a');
    expect([store.get('a'), store.get('b')?.totalHits]).to.deep.equal([undefined, 2]);
    store.resetAll();
    expect(store.size).to.equal(0);
  });

  it('never counts below zero, nor a key that it does not know', () => {
    const store = new BoundedStore(5, 10, () => 0);
    store.increment('a');
    for (const key of ['a', 'a', 'unknown']) store.decrement(key);

    expect([store.get('a')?.totalHits, store.size]).to.deep.equal([0, 1]);
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
      const store = new BoundedStore(5, 10, () => clock.now);
      store.increment('a');
      clock.now = now;

      expect(store.get('a')?.totalHits, String(now)).to.equal(hits);
    }
  });

  it('RATE-04: may forget a key that has only reached the limit', () => {
    const store = new BoundedStore(1, 2, () => 0);
    for (const key of ['a', 'b', 'c']) store.increment(key);

    expect([store.get('a'), store.size]).to.deep.equal([undefined, 2]);
  });

  it('RATE-04: drops four expired keys of each kind with each hit', () => {
    const clock = { now: 0 };
    const store = new BoundedStore(1, 100, () => clock.now);
    for (let index = 0; index < 9; index += 1) {
      for (const key of [`open-${index}`, `blocked-${index}`, `blocked-${index}`]) store.increment(key);
    }
    expect(store.size).to.equal(18);

    clock.now = 60_000;
    const sizes = Array.from({ length: 3 }, () => {
      store.increment('new');
      return store.size;
    });

    expect(sizes).to.deep.equal([18 - 8 + 1, 18 - 16 + 1, 1]);
  });

  it('RATE-04: keeps a bounded number of keys, and a blocked key among a million new ones', () => {
    const store = new BoundedStore(2, 1000, () => 0);
    store.init(MINUTE);
    for (let hit = 0; hit < 3; hit += 1) store.increment('blocked');

    for (let index = 0; index < 1_000_000; index += 1) store.increment(`key-${index}`);

    expect(store.size).to.be.at.most(1000);
    expect(store.get('blocked')?.totalHits).to.equal(3);
  });
});

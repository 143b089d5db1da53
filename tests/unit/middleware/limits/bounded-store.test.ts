import { expect } from 'chai';
import { BoundedStore } from '../../../../src/middleware/limits/bounded-store.js';

const MINUTE = { windowMs: 60_000 } as never;

describe('BoundedStore', () => {
  it('RATE-04: keeps a bounded number of keys, and a blocked key among a million new ones', () => {
    const store = new BoundedStore(2, 1000, () => 0);
    store.init(MINUTE);
    for (let hit = 0; hit < 3; hit += 1) store.increment('blocked');

    for (let index = 0; index < 1_000_000; index += 1) store.increment(`key-${index}`);

    expect(store.size).to.be.at.most(1000);
    expect(store.get('blocked')?.totalHits).to.equal(3);
  });

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
});

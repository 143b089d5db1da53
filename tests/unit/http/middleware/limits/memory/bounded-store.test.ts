import { expect } from 'chai';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BoundedStore, MAX_KEYS } from '../../../../../../src/http/middleware/limits/bounded-store.js';

// In a folder of its own because it takes too long for every mutant of the limits (`npm run mutation`).
describe('The memory of BoundedStore', () => {
  it('RATE-04: needs less than 64 MB of heap for a million networks', () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const store = new BoundedStore(60);
    collect();
    const before = process.memoryUsage().heapUsed;

    for (let index = 0; index < 1_000_000; index += 1) store.increment(`2001:db8:${index.toString(16)}::/64`);

    collect();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).to.be.below(64);
    expect(store.size).to.equal(MAX_KEYS);
  }).timeout(60_000);
});

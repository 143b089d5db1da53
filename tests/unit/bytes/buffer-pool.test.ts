import { expect } from 'chai';
import { BufferPool } from '../../../src/bytes/buffer-pool.js';

describe('BufferPool', () => {
  it('lends each buffer to one caller at a time, and lends it again after its return', () => {
    const pool = new BufferPool(1024, 8);
    const [first, second] = [pool.take(), pool.take()];

    expect(first).to.have.length(1024);
    expect(second.buffer).not.to.equal(first.buffer);
    pool.giveBack(first);
    expect(pool.take()).to.equal(first);
  });

  it('keeps no more free buffers than its limit', () => {
    const pool = new BufferPool(16, 1);
    const [first, second] = [pool.take(), pool.take()];
    pool.giveBack(first);
    pool.giveBack(second);

    expect(pool.take()).to.equal(first);
    expect(pool.take()).not.to.equal(second);
  });
});

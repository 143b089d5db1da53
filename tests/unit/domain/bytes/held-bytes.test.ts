import { expect } from 'chai';
import fc from 'fast-check';
import { HeldBytes } from '../../../../src/domain/bytes/held-bytes.js';

describe('HeldBytes', () => {
  it('property: returns the bytes in order, however they were split, and is empty afterwards', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 20 }), (pieces) => {
        const held = new HeldBytes();
        for (const piece of pieces) held.add(Buffer.from(piece));
        const all = Buffer.concat(pieces);

        expect(held.length).to.equal(all.length);
        expect(held.take().equals(all)).to.be.true;
        expect([held.length, held.take().length]).to.deep.equal([0, 0]);
      }),
    );
  });

  it('returns a single piece without copying it', () => {
    const piece = Buffer.from('row');
    const held = new HeldBytes();
    held.add(piece);

    expect(held.take()).to.equal(piece);
  });

  it('returns 5,000 bytes that were added one by one unchanged', () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));
    const held = new HeldBytes();
    for (let at = 0; at < bytes.length; at++) held.add(bytes.subarray(at, at + 1));

    expect(held.take().equals(bytes)).to.be.true;
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { hasControlBytes } from '../../../../src/gateways/redcap/has-control-bytes.js';

describe('hasControlBytes', () => {
  it('finds exactly the bytes below 0x20, at any alignment', () => {
    const byte = fc.oneof(fc.integer({ min: 0x1f, max: 0xff }), fc.constantFrom(0x20, 0x80, 0xa0, 0xff));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), fc.integer({ min: 0, max: 5 }), (bytes, offset) => {
        const shifted = Buffer.from([...Array<number>(offset).fill(0), ...bytes]).subarray(offset);

        expect(hasControlBytes(shifted)).to.equal(bytes.some((value) => value < 0x20));
      }),
      { numRuns: 1000 },
    );
  });
});

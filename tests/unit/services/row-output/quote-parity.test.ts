import { expect } from 'chai';
import fc from 'fast-check';
import { QuoteParity } from '../../../../src/services/row-output/quote-parity.js';

/** Quotes, bytes that differ from a quote in a single bit, and any other byte. */
const byte = fc.oneof(fc.constant(0x22), fc.constantFrom(0xa2, 0x23, 0x02, 0x00, 0x80, 0xff), fc.nat(0xff));

describe('QuoteParity', () => {
  it('property: agrees with counting, for any part of a chunk at any alignment', () => {
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 60 }),
        fc.nat({ max: 7 }),
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        (bytes, offset, one, other) => {
          const chunk = Buffer.concat([Buffer.alloc(offset, '"'), Buffer.from(bytes)]).subarray(offset);
          const start = Math.min(one, other, chunk.length);
          const end = Math.min(Math.max(one, other), chunk.length);
          const quotes = bytes.slice(start, end).filter((one) => one === 0x22).length;
          expect(new QuoteParity(chunk).isOdd(start, end)).to.equal(quotes % 2 === 1);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { isUtf8 } from 'node:buffer';
import { Utf8Check } from '../../../../src/domain/bytes/utf8.js';

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('\xc3', '\xe2\x82', '\xf0\x9f\x98', '\xed\xa0\x80', '\x80')
    .map((bytes) => Buffer.from(bytes, 'latin1')),
);

describe('Utf8Check', () => {
  it('judges any bytes as a whole would be judged, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
        const bytes = Buffer.concat(pieces);
        const check = new Utf8Check();
        let isValid = true;
        for (let at = 0; at < bytes.length; at += size)
          isValid = check.take(bytes.subarray(at, at + size)) && isValid;

        expect(isValid && check.isComplete).to.equal(isUtf8(bytes));
      }),
      { numRuns: 2_000 },
    );
  });
});

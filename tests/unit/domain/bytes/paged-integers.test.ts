import { expect } from 'chai';
import fc from 'fast-check';
import { PagedIntegers } from '../../../../src/domain/bytes/paged-integers.js';

describe('PagedIntegers', () => {
  it('returns the value set at each position and 0 elsewhere', () => {
    const position = fc.oneof(fc.nat(60_000), fc.constantFrom(0, 16_383, 16_384, 32_767, 32_768));
    const entries = fc.array(fc.tuple(position, fc.nat(0xffff_ffff)), { maxLength: 50 });
    fc.assert(
      fc.property(entries, position, (set, elsewhere) => {
        const integers = new PagedIntegers();
        const expected = new Map<number, number>();
        for (const [at, value] of set) {
          integers.grow(at + 1);
          integers.set(at, value);
          expected.set(at, value);
        }

        for (const [at, value] of expected) expect(integers.get(at)).to.equal(value);
        expect(integers.get(elsewhere)).to.equal(expected.get(elsewhere) ?? 0);
      }),
    );
  });

  it('throws a RangeError for a position beyond its capacity', () => {
    const integers = new PagedIntegers();
    integers.grow(1);

    integers.set(integers.capacity - 1, 7);
    expect(() => integers.set(integers.capacity, 7)).to.throw(RangeError);
  });
});

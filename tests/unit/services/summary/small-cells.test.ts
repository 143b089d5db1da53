import { expect } from 'chai';
import fc from 'fast-check';
import { withoutSmall } from '../../../../src/services/summary/small-cells.js';

const LEAST = 5;

describe('withoutSmall', () => {
  for (const [counts, shown] of [
    [
      [10, 20, 30],
      [10, 20, 30],
    ],
    [
      [0, 20],
      [0, 20],
    ],
    [
      [5, 20],
      [5, 20],
    ],
    [
      [3, 20],
      [null, null],
    ],
    [
      [3, 20, 30],
      [null, null, 30],
    ],
    [
      [3, 30, 20],
      [null, 30, null],
    ],
    [
      [3, 4, 20],
      [null, null, 20],
    ],
    [
      [1, 4, 20],
      [null, null, 20],
    ],
    [
      [1, 1, 20, 30],
      [null, null, null, 30],
    ],
    [
      [3, 0, 20, 30],
      [null, 0, null, 30],
    ],
    // Nothing else keeps a total of three from telling the three.
    [
      [3, 0],
      [null, null],
    ],
    // Beside a visible zero, five counts that add up to five would be one each.
    [
      [1, 1, 1, 1, 1, 0],
      [null, null, null, null, null, null],
    ],
    [
      [1, 1, 1, 1, 1, 6, 7],
      [null, null, null, null, null, null, 7],
    ],
    [[], []],
  ] as const) {
    it(`shows ${JSON.stringify(shown)} for ${JSON.stringify(counts)}`, () => {
      expect(withoutSmall(counts, LEAST)).to.deep.equal(shown);
    });
  }

  it('never withholds so little that the total reveals a small count', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 }), (counts) => {
        const shown = withoutSmall(counts, LEAST);
        const hidden = counts.filter((_, index) => shown[index] === null);
        const sum = hidden.reduce((total, count) => total + count, 0);

        for (const count of shown) expect(count === null || count === 0 || count >= LEAST).to.equal(true);
        // Either several counts are withheld that add up to enough, or all of them.
        expect(
          hidden.length === 0 ||
            hidden.length === counts.length ||
            (hidden.length >= 2 && sum >= LEAST && sum > hidden.length),
        ).to.equal(true);
      }),
    );
  });
});

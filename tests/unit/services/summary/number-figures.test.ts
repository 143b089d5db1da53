import { expect } from 'chai';
import { histogramOf } from '../../../../src/services/summary/number-figures.js';

describe('histogramOf', () => {
  for (const [step, shift] of [
    [0.1, 0],
    [0.1, 36],
    [0.01, -0.05],
    [0.3, 0],
    [5, 40],
  ] as const) {
    it(`counts values in steps of ${step} from ${shift} correctly`, () => {
      const values = Float64Array.from({ length: 11 }, (_, index) =>
        Number((shift + index * step).toFixed(4)),
      );
      const bins = histogramOf(values);

      for (const { from, to, n } of bins)
        expect(n, `${from} to ${to}`).to.equal(values.filter((value) => value >= from && value < to).length);
      expect(bins.reduce((sum, { n }) => sum + (n ?? 0), 0)).to.equal(11);
    });
  }
});

import { expect } from 'chai';
import { histogramOf, quantileOf } from '../../../../src/services/summary/number-figures.js';

describe('histogramOf', () => {
  for (const [step, shift] of [
    [0.1, 0],
    [0.1, 36],
    [0.01, -0.05],
    [0.3, 0],
    [5, 40],
    [0.0005, 0],
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

  it('separates very small and very large values', () => {
    expect(histogramOf(Float64Array.of(1e-9, 2e-9, 1.1e-8))).to.deep.include({ from: 2e-9, to: 3e-9, n: 1 });
    for (const { from, to } of histogramOf(Float64Array.of(-1e308, 1e308))) expect(from).to.be.below(to);
  });
});

describe('quantileOf', () => {
  it('keeps the digits of very small values, and stays finite between very large ones', () => {
    expect(quantileOf(Float64Array.of(1.5e-9, 2.5e-9), 0.5)).to.equal(2e-9);
    expect(quantileOf(Float64Array.of(-1e308, 1e308), 0.5)).to.equal(0);
    expect(quantileOf(Float64Array.of(1, 2, 2), 0.4)).to.equal(1.8);
  });
});

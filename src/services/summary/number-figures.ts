import type { HistogramBin } from './field-distribution.js';

/**
 * @param share 0 to 1
 * @returns the quantile, interpolated between the two nearest values; null if there are no values
 */
export function quantileOf(sorted: Float64Array, share: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  const distance = place - Math.floor(place);
  return rounded(below * (1 - distance) + above * distance);
}

/** Returns about ten bars with a round width: 1, 2 or 5 times a power of ten. */
export function histogramOf(sorted: Float64Array): HistogramBin[] {
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return [];
  const width = roundWidth(max / 10 - min / 10);
  const first = stepOf(min, width);
  const count = stepOf(max, width) - first + 1;
  const bins = Array.from({ length: count }, (_, index) => ({
    from: rounded((first + index) * width),
    to: rounded((first + index + 1) * width),
    n: 0,
  }));
  for (const value of sorted) {
    const bin = bins[Math.min(count - 1, stepOf(value, width) - first)];
    if (bin !== undefined) bin.n += 1;
  }
  return bins;
}

/** Returns how many widths lie below a value. In binary, 0.3 / 0.1 is a little less than 3. */
function stepOf(value: number, width: number): number {
  return Math.floor(value / width + 1e-9);
}

function roundWidth(width: number): number {
  if (width <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= width) ?? 10;
  return factor * power;
}

/** Rounds to six decimals, or to six significant digits below 1: concentrations can be a billionth. */
function rounded(value: number): number {
  if (Math.abs(value) < 1) return Number(value.toPrecision(6));
  return Math.abs(value) < 1e15 ? Math.round(value * 1e6) / 1e6 : value;
}

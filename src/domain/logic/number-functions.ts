import type { LogicFunction } from './function-types.js';
import { numberOf, numberOrBlank } from './values.js';

/**
 * Returns a function with a minimum and maximum number of numeric arguments. The result is blank if one of them is
 * blank.
 */
function ofNumbers(
  least: number,
  most: number,
  apply: (first: number, second: number | undefined) => number,
): LogicFunction {
  return {
    arity: [least, most],
    apply: ([first = '', second = '']) =>
      numberOrBlank(apply(numberOf(first), second === '' && least === 1 ? undefined : numberOf(second))),
  };
}

/** Returns a function of all its non-blank arguments. The result is blank if all are blank. */
function overAll(apply: (values: readonly number[]) => number): LogicFunction {
  return {
    arity: [1, Number.POSITIVE_INFINITY],
    apply: (given) => {
      const values = given.filter((value) => value !== '').map(numberOf);
      return values.length === 0 ? '' : numberOrBlank(apply(values));
    },
  };
}

function rounded(round: (size: number) => number): LogicFunction {
  return ofNumbers(1, 2, (value, digits = 0) => {
    const scale = 10 ** digits;
    const size = Math.abs(value) * scale;
    // 1.005 * 100 is 100.49999999999999, so round to the 15 significant digits that a double can hold first.
    const exact = size < 1e15 ? Number(size.toPrecision(15)) : size;
    return (Math.sign(value) * round(exact)) / scale;
  });
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const average = (values: readonly number[]): number => total(values) / values.length;

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the sample standard deviation, which a single value does not have. */
function deviation(values: readonly number[]): number {
  const mean = average(values);
  return Math.sqrt(total(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const greatest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

/** @see docs/protocol/redcap.md 7.4 (doc), groups rounding and numbers */
export const NUMBER_FUNCTIONS: Readonly<Record<string, LogicFunction>> = {
  round: rounded(Math.round),
  roundup: rounded(Math.ceil),
  rounddown: rounded(Math.floor),
  sqrt: ofNumbers(1, 1, Math.sqrt),
  abs: ofNumbers(1, 1, Math.abs),
  exponential: ofNumbers(1, 1, Math.exp),
  log: ofNumbers(1, 2, (value, base) => Math.log(value) / (base === undefined ? 1 : Math.log(base))),
  mod: ofNumbers(2, 2, (value, divisor = Number.NaN) => value % divisor),
  min: overAll(least),
  max: overAll(greatest),
  mean: overAll(average),
  median: overAll(middle),
  sum: overAll(total),
  stdev: overAll(deviation),
};

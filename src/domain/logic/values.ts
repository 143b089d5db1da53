import type { ComparisonOperator } from './syntax.js';

/** The value of logic: text or a number. A blank is the empty text. */
export type LogicValue = string | number;

/** The context of a function call, besides its arguments. */
export interface FunctionContext {
  /** The time for `'today'` and `'now'`. */
  readonly now: Date;
  readonly missingDataCodes: ReadonlySet<string>;
  /** The result of a function of a date whose order is not known. */
  readonly unreadDate: LogicValue | undefined;
}

export interface LogicFunction {
  /** The minimum and maximum number of arguments. */
  readonly arity: readonly [number, number];
  /** Returns the result; undefined if an argument has a meaning that is not known here. */
  readonly apply: (given: readonly LogicValue[], context: FunctionContext) => LogicValue | undefined;
}

/** No two parts match the same digits, so that a long text of digits takes linear time. */
const NUMERIC = /^\s*[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)\s*$/;

/** Returns the value as a number, written with a point or a comma; NaN for blanks and other text. */
export function numberOf(value: LogicValue): number {
  if (typeof value === 'number') return value;
  return NUMERIC.test(value) ? Number(value.replace(',', '.')) : Number.NaN;
}

export function isNumeric(value: LogicValue): boolean {
  return Number.isFinite(numberOf(value));
}

/** Returns the result of a calculation: the number, or a blank if it is not finite. */
export function numberOrBlank(value: number): LogicValue {
  return Number.isFinite(value) ? value : '';
}

export function truthValue(value: boolean): LogicValue {
  return value ? 1 : 0;
}

/**
 * A number is true unless it is 0. A blank is false, any other text true.
 *
 * @see docs/protocol/redcap.md 7.3 (inferred)
 */
export function isTrue(value: LogicValue): boolean {
  return value !== '' && numberOf(value) !== 0;
}

/**
 * Compares two values: as numbers if both are numbers, otherwise as case-sensitive text. A blank only equals a blank,
 * and is neither less nor greater than anything.
 *
 * @see docs/protocol/redcap.md 7.3 (doc, inferred)
 */
export function compareValues(operator: ComparisonOperator, left: LogicValue, right: LogicValue): boolean {
  if (left === '' || right === '') {
    if (operator === '=') return left === right;
    return operator === '<>' && left !== right;
  }
  const [a, b] =
    isNumeric(left) && isNumeric(right) ? [numberOf(left), numberOf(right)] : [`${left}`, `${right}`];
  switch (operator) {
    case '=':
      return a === b;
    case '<>':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

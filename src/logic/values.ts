import type { ComparisonOperator } from './syntax.js';

/** What logic is worth: a text or a number; a blank is the empty text. */
export type LogicValue = string | number;

const NUMERIC = /^\s*[-+]?(?:\d+[.,]?\d*|[.,]\d+)\s*$/;

/** The number that a value is, with a point or a comma; NaN for blanks and other text. */
export function numberOf(value: LogicValue): number {
  if (typeof value === 'number') return value;
  return NUMERIC.test(value) ? Number(value.replace(',', '.')) : Number.NaN;
}

export function isNumeric(value: LogicValue): boolean {
  return Number.isFinite(numberOf(value));
}

/** What arithmetic gives: the number, or a blank where there is none. */
export function numberOrBlank(value: number): LogicValue {
  return Number.isFinite(value) ? value : '';
}

export function truthValue(value: boolean): LogicValue {
  return value ? 1 : 0;
}

/** A number is true unless it is 0; a blank is false, another text true. @see docs/protocol/redcap.md 7.3 (inferred) */
export function isTrue(value: LogicValue): boolean {
  return value !== '' && numberOf(value) !== 0;
}

/**
 * Compares two values: as numbers when both are numbers, otherwise as text with case. A blank equals a blank alone, and is
 * neither smaller nor greater than anything.
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

/** What an expression is worth: a text, or a number; blank is the empty text. */
export type LogicValue = string | number;

/** @returns whether a value counts as a number: `'12'` does, a blank does not */
export function isNumeric(value: LogicValue): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : /^[-+]?(?:\d+[.,]?\d*|[.,]\d+)$/.test(value.trim());
}

export function isBlank(value: LogicValue): boolean {
  return value === '' || (typeof value === 'number' && Number.isNaN(value));
}

/** A number is true unless it is 0, a text unless it is blank or `0`. @see docs/protocol/redcap.md 7.3 (inferred) */
export function isTruthy(value: LogicValue): boolean {
  return !isBlank(value) && toNumber(value) !== 0;
}

/** A number for arithmetic; blank when it is none. */
export function toNumber(value: LogicValue): number {
  if (!isNumeric(value)) return Number.NaN;
  // A field with the comma as its decimal character is a number too. @see docs/protocol/redcap.md 20 (client)
  return typeof value === 'number' ? value : Number(value.trim().replace(',', '.'));
}

/** @returns the number, or blank where there is none */
export function fromNumber(value: number): LogicValue {
  return Number.isFinite(value) ? value : '';
}

export function fromBoolean(value: boolean): LogicValue {
  return value ? 1 : 0;
}

/**
 * Compares: as numbers when both are numbers, as text with case otherwise. A blank equals a blank alone, and is neither
 * smaller nor greater than anything.
 *
 * @see docs/protocol/redcap.md 7.3 (doc, inferred)
 */
export function compare(
  operator: '=' | '<>' | '<' | '<=' | '>' | '>=',
  left: LogicValue,
  right: LogicValue,
): boolean {
  const order = orderOf(left, right);
  if (operator === '=') return order === 0;
  if (operator === '<>') return order !== 0;
  if (order === undefined || isBlank(left) || isBlank(right)) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

/** @returns below, at or above 0; undefined where one side is blank */
function orderOf(left: LogicValue, right: LogicValue): number | undefined {
  if (isBlank(left) || isBlank(right)) return isBlank(left) && isBlank(right) ? 0 : undefined;
  if (isNumeric(left) && isNumeric(right)) return toNumber(left) - toNumber(right);
  const [leftText, rightText] = [String(left), String(right)];
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0;
}

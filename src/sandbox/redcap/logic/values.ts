/** The value of an expression: a text or a number. Blank is the empty text. */
export type LogicValue = string | number;

/** @returns whether a value counts as a number: `'12'` does, a blank does not */
export function isNumeric(value: LogicValue): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : /^[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(value.trim());
}

/** Whether a value is blank: the empty text, or the result of arithmetic with something that is not a number. */
export function isBlank(value: LogicValue): boolean {
  return value === '' || (typeof value === 'number' && Number.isNaN(value));
}

/**
 * Whether a value is true: a number unless it is 0, a text unless it is blank or a number equal to 0.
 *
 * @see docs/protocol/redcap.md 7.3 (inferred)
 */
export function isTruthy(value: LogicValue): boolean {
  return !isBlank(value) && toNumber(value) !== 0;
}

/** Converts a value for arithmetic; `NaN` (blank) if it is not a number. */
export function toNumber(value: LogicValue): number {
  if (!isNumeric(value)) return Number.NaN;
  // A field may use a comma as its decimal separator. @see docs/protocol/redcap.md 20 (client)
  return typeof value === 'number' ? value : Number(value.trim().replace(',', '.'));
}

/** @returns the number; blank if it is not finite */
export function fromNumber(value: number): LogicValue {
  return Number.isFinite(value) ? value : '';
}

/** @returns 1 for true, 0 for false */
export function fromBoolean(value: boolean): LogicValue {
  return value ? 1 : 0;
}

/**
 * Compares two values: as numbers if both are numbers, otherwise as case-sensitive text. A blank equals only another
 * blank, and is neither less nor greater than anything.
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

/** @returns a negative number, 0 or a positive number; undefined if exactly one side is blank */
function orderOf(left: LogicValue, right: LogicValue): number | undefined {
  if (isBlank(left) || isBlank(right)) return isBlank(left) && isBlank(right) ? 0 : undefined;
  if (isNumeric(left) && isNumeric(right)) return toNumber(left) - toNumber(right);
  const [leftText, rightText] = [String(left), String(right)];
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0;
}

import type { Field } from '../../../domain/dictionary/field.js';
import type { Expression, Link, LogicReference } from './expression.js';
import type { FunctionContext } from './function-types.js';
import { FUNCTIONS } from './functions.js';
import { parseLogic } from './parser.js';
import { compare, fromBoolean, fromNumber, isTruthy, toNumber, type LogicValue } from './values.js';

export { LogicError } from './logic-error.js';
export type { LogicReference } from './expression.js';

/** The context in which logic is evaluated: one row of a record. */
export interface LogicScope {
  /** Returns the stored value; blank if there is none. A checkbox choice is `1` or `0`. */
  value(reference: LogicReference): string;
  /** Returns the value of a smart variable. */
  smart(name: string): string;
}

/** Logic that is parsed once and evaluated for many rows. */
export interface CompiledLogic {
  isTrue(scope: LogicScope): boolean;
  value(scope: LogicScope): LogicValue;
}

/** What logic depends on besides the values of a row. */
export interface LogicOptions {
  /** The server's clock, for `'today'` and `'now'`. */
  readonly clock: () => Date;
  /** The codes with which the project marks a value as missing. */
  readonly missingCodes: readonly string[];
}

/**
 * Parses an expression of REDCap's logic: comparisons, `and`, `or`, `not`, arithmetic, references and functions.
 *
 * @param fields the fields that the logic can refer to, by name
 * @throws {LogicError} invalid syntax, an unknown field, choice or function, or too many nested parentheses
 * @see docs/protocol/redcap.md 7
 */
export function compileLogic(
  source: string,
  fields: ReadonlyMap<string, Field>,
  { clock, missingCodes }: LogicOptions,
): CompiledLogic {
  const expression = parseLogic(source, fields);
  const context: FunctionContext = { now: clock, missingCodes: new Set(missingCodes) };
  return {
    isTrue: (scope) => isTruthy(evaluate(expression, scope, context)),
    value: (scope) => evaluate(expression, scope, context),
  };
}

function evaluate(expression: Expression, scope: LogicScope, context: FunctionContext): LogicValue {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'reference':
      return scope.value(expression.reference);
    case 'smart':
      return scope.smart(expression.name);
    case 'not':
      return fromBoolean(!isTruthy(evaluate(expression.operand, scope, context)));
    case 'negative':
      return fromNumber(-toNumber(evaluate(expression.operand, scope, context)));
    case 'chain':
      // Iterates instead of recursing: a filter may list thousands of records.
      return expression.rest.reduce(
        (left, link) => operate(left, link, scope, context),
        evaluate(expression.first, scope, context),
      );
    case 'call':
      return call(expression, scope, context);
  }
}

function operate(
  first: LogicValue,
  { operator, operand }: Link,
  scope: LogicScope,
  context: FunctionContext,
): LogicValue {
  if (operator === 'and' && !isTruthy(first)) return 0;
  if (operator === 'or' && isTruthy(first)) return 1;
  const second = evaluate(operand, scope, context);
  switch (operator) {
    case 'and':
    case 'or':
      return fromBoolean(isTruthy(second));
    // Arithmetic with a blank operand is blank (doc).
    case '+':
      return fromNumber(toNumber(first) + toNumber(second));
    case '-':
      return fromNumber(toNumber(first) - toNumber(second));
    case '*':
      return fromNumber(toNumber(first) * toNumber(second));
    case '/':
      return fromNumber(toNumber(first) / toNumber(second));
    case '^':
      return fromNumber(toNumber(first) ** toNumber(second));
    default:
      return fromBoolean(compare(operator, first, second));
  }
}

function call(
  { name, arguments: given }: Extract<Expression, { kind: 'call' }>,
  scope: LogicScope,
  context: FunctionContext,
): LogicValue {
  const [condition, yes, no] = given;
  if (name === 'if' && condition !== undefined && yes !== undefined && no !== undefined) {
    return evaluate(isTruthy(evaluate(condition, scope, context)) ? yes : no, scope, context);
  }
  const values = given.map((argument) => evaluate(argument, scope, context));
  return FUNCTIONS.get(name)?.apply(values, context) ?? '';
}

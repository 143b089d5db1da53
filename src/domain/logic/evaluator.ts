import { FUNCTIONS } from './functions.js';
import { KNOWN_SMART_VARIABLES } from './references.js';
import { isComparison, type Call, type Link, type LogicNode, type Reference } from './syntax.js';
import {
  compareValues,
  isTrue,
  numberOf,
  numberOrBlank,
  truthValue,
  type FunctionContext,
  type LogicValue,
} from './values.js';

/** The values of one row of a record. `undefined` means that the value is not known here. */
export interface LogicScope {
  /** Returns the stored value, blank if there is none; `1` or `0` for the choice of a checkbox. */
  value(reference: Reference): string | undefined;
  /** Returns the value of one of the `KNOWN_SMART_VARIABLES`. */
  smart(name: string): string | undefined;
}

export interface EvaluationOptions {
  /** The time for `'today'` and `'now'`; the current time by default. */
  readonly clock?: (() => Date) | undefined;
  readonly missingDataCodes?: Iterable<string> | undefined;
  /** The result of a function of a date whose order is not known; unknown by default. */
  readonly unreadDate?: LogicValue | undefined;
}

/** Logic that is compiled once and evaluated on many rows. */
export interface Evaluator {
  /** @returns the value; undefined if it depends on an unknown construct or value */
  value(scope: LogicScope): LogicValue | undefined;
  /** @returns whether the logic is true; undefined if that depends on an unknown construct or value */
  isTrue(scope: LogicScope): boolean | undefined;
}

/**
 * Compiles logic for evaluation. An unknown function, smart variable or number of arguments is not an error: what
 * depends on it is unknown, and everything else is evaluated (`unknown or true` is true).
 *
 * @see docs/protocol/redcap.md 7.3 (doc, inferred)
 */
export function compileLogic(tree: LogicNode, options: EvaluationOptions = {}): Evaluator {
  const { clock = () => new Date(), missingDataCodes = [], unreadDate } = options;
  const codes = new Set(missingDataCodes);
  const run = compile(tree);
  const value = (scope: LogicScope): LogicValue | undefined =>
    run(scope, { now: clock(), missingDataCodes: codes, unreadDate });
  return {
    value,
    isTrue: (scope) => {
      const result = value(scope);
      return result === undefined ? undefined : isTrue(result);
    },
  };
}

type Run = (scope: LogicScope, context: FunctionContext) => LogicValue | undefined;

function compile(node: LogicNode): Run {
  switch (node.kind) {
    case 'number': {
      const value = Number(node.text);
      return () => value;
    }
    case 'text':
      return () => node.value;
    case 'boolean': {
      const value = truthValue(node.value);
      return () => value;
    }
    case 'reference':
      return (scope) => scope.value(node);
    case 'smart':
      return KNOWN_SMART_VARIABLES.has(node.name) ? (scope) => scope.smart(node.name) : () => undefined;
    case 'not':
      return mapped(compile(node.operand), (value) => truthValue(!isTrue(value)));
    case 'sign':
      if (node.sign === '+') return compile(node.operand);
      return mapped(compile(node.operand), (value) => numberOrBlank(-numberOf(value)));
    case 'chain':
      return compileChain(compile(node.first), node.rest);
    case 'call':
      return compileCall(node);
  }
}

function mapped(run: Run, change: (value: LogicValue) => LogicValue): Run {
  return (scope, context) => {
    const value = run(scope, context);
    return value === undefined ? undefined : change(value);
  };
}

function compileChain(first: Run, rest: readonly Link[]): Run {
  const steps = rest.map(({ operator, operand }) => ({ operator, run: compile(operand) }));
  return (scope, context) => {
    let value = first(scope, context);
    for (const { operator, run } of steps) {
      value =
        operator === 'and' || operator === 'or'
          ? joined(value, operator, () => run(scope, context))
          : operated(value, operator, run(scope, context));
    }
    return value;
  };
}

/** `false and unknown` is false, `true or unknown` is true, in either order. */
function joined(
  left: LogicValue | undefined,
  operator: 'and' | 'or',
  evaluateRight: () => LogicValue | undefined,
): LogicValue | undefined {
  const decides = operator === 'or';
  if (left !== undefined && isTrue(left) === decides) return truthValue(decides);
  const right = evaluateRight();
  if (right !== undefined && isTrue(right) === decides) return truthValue(decides);
  return left === undefined || right === undefined ? undefined : truthValue(!decides);
}

function operated(
  left: LogicValue | undefined,
  operator: Exclude<Link['operator'], 'and' | 'or'>,
  right: LogicValue | undefined,
): LogicValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (isComparison(operator)) return truthValue(compareValues(operator, left, right));
  return numberOrBlank(calculate(operator, numberOf(left), numberOf(right)));
}

function calculate(operator: '+' | '-' | '*' | '/' | '^', left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '^':
      return left ** right;
  }
}

function compileCall({ name, arguments: given }: Call): Run {
  const definition = FUNCTIONS.get(name);
  const [least, most] = definition?.arity ?? [0, 0];
  if (definition === undefined || given.length < least || given.length > most) return () => undefined;
  const runs = given.map(compile);
  const [condition, yes, no] = runs;
  if (name === 'if' && condition && yes && no) {
    return (scope, context) => {
      const holds = condition(scope, context);
      return holds === undefined ? undefined : (isTrue(holds) ? yes : no)(scope, context);
    };
  }
  return (scope, context) => {
    const values: LogicValue[] = [];
    for (const run of runs) {
      const value = run(scope, context);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return definition.apply(values, context) ?? context.unreadDate;
  };
}

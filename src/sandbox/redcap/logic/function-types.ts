import type { LogicValue } from './values.js';

/** What a function can use besides its arguments. */
export interface FunctionContext {
  /** The server's clock, for `'today'` and `'now'`. */
  readonly now: () => Date;
  /** The codes with which the project marks a value as missing. */
  readonly missingCodes: ReadonlySet<string>;
}

/** A function of the logic language. */
export interface LogicFunction {
  /** The minimum and maximum number of arguments. */
  readonly arity: readonly [number, number];
  /** Missing optional arguments are not in the list. */
  readonly apply: (given: readonly LogicValue[], context: FunctionContext) => LogicValue;
}

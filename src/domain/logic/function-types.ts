import type { LogicValue } from './values.js';

/** The context of a function call, besides its arguments. */
export interface FunctionContext {
  /** The time for `'today'` and `'now'`. */
  readonly now: Date;
  readonly missingDataCodes: ReadonlySet<string>;
}

export interface LogicFunction {
  /** The minimum and maximum number of arguments. */
  readonly arity: readonly [number, number];
  /** Returns the result; undefined if an argument has a meaning that is not known here. */
  readonly apply: (given: readonly LogicValue[], context: FunctionContext) => LogicValue | undefined;
}

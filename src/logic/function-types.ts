import type { LogicValue } from './values.js';

/** What a function may ask besides its arguments. */
export interface FunctionContext {
  /** For `'today'` and `'now'`. */
  readonly now: Date;
  readonly missingDataCodes: ReadonlySet<string>;
}

export interface LogicFunction {
  /** The least and the greatest number of arguments. */
  readonly arity: readonly [number, number];
  readonly apply: (given: readonly LogicValue[], context: FunctionContext) => LogicValue;
}

import { DATE_FUNCTIONS } from './date-functions.js';
import type { LogicFunction } from './function-types.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';

/** The functions of the language, by their lower-case names. @see docs/protocol/redcap.md 7.4 (doc) */
export const FUNCTIONS: ReadonlyMap<string, LogicFunction> = new Map([
  // The evaluator handles `if` itself and evaluates only one branch. This entry provides its number of arguments.
  ['if', { arity: [3, 3], apply: ([, yes = '']) => yes } satisfies LogicFunction],
  ...Object.entries(DATE_FUNCTIONS),
  ...Object.entries(NUMBER_FUNCTIONS),
  ...Object.entries(TEXT_FUNCTIONS),
]);

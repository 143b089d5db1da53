import { DATE_FUNCTIONS } from './date-functions.js';
import {
  isNumeric,
  numberOf,
  numberOrBlank,
  truthValue,
  type FunctionContext,
  type LogicFunction,
  type LogicValue,
} from './values.js';

/**
 * Returns a function with a minimum and maximum number of numeric arguments. The result is blank if one of them is
 * blank.
 */
function ofNumbers(
  least: number,
  most: number,
  apply: (first: number, second: number | undefined) => number,
): LogicFunction {
  return {
    arity: [least, most],
    apply: ([first = '', second = '']) =>
      numberOrBlank(apply(numberOf(first), second === '' && least === 1 ? undefined : numberOf(second))),
  };
}

/** Returns a function of all its non-blank arguments. The result is blank if all are blank. */
function overAll(apply: (values: readonly number[]) => number): LogicFunction {
  return {
    arity: [1, Number.POSITIVE_INFINITY],
    apply: (given) => {
      const values = given.filter((value) => value !== '').map(numberOf);
      return values.length === 0 ? '' : numberOrBlank(apply(values));
    },
  };
}

function rounded(round: (size: number) => number): LogicFunction {
  return ofNumbers(1, 2, (value, digits = 0) => {
    const scale = 10 ** digits;
    const size = Math.abs(value) * scale;
    // 1.005 * 100 is 100.49999999999999, so round to the 15 significant digits that a double can hold first.
    const exact = size < 1e15 ? Number(size.toPrecision(15)) : size;
    return (Math.sign(value) * round(exact)) / scale;
  });
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const average = (values: readonly number[]): number => total(values) / values.length;

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the sample standard deviation, which a single value does not have. */
function deviation(values: readonly number[]): number {
  const mean = average(values);
  return Math.sqrt(total(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

const lowest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

/** @see docs/protocol/redcap.md 7.4 (doc), groups rounding and numbers */
const NUMBER_FUNCTIONS: Readonly<Record<string, LogicFunction>> = {
  round: rounded(Math.round),
  roundup: rounded(Math.ceil),
  rounddown: rounded(Math.floor),
  sqrt: ofNumbers(1, 1, Math.sqrt),
  abs: ofNumbers(1, 1, Math.abs),
  exponential: ofNumbers(1, 1, Math.exp),
  log: ofNumbers(1, 2, (value, base) => Math.log(value) / (base === undefined ? 1 : Math.log(base))),
  mod: ofNumbers(2, 2, (value, divisor = Number.NaN) => value % divisor),
  min: overAll(lowest),
  max: overAll(highest),
  mean: overAll(average),
  median: overAll(middle),
  sum: overAll(total),
  stdev: overAll(deviation),
};

type Apply = (texts: readonly string[], context: FunctionContext) => LogicValue | boolean;

function ofTexts(arity: readonly [number, number], apply: Apply): LogicFunction {
  return {
    arity,
    apply: (given, context) => {
      const result = apply(given.map(String), context);
      return typeof result === 'boolean' ? truthValue(result) : result;
    },
  };
}

/** Returns a case-insensitive search for a text in another. */
function search(finds: (hay: string, needle: string) => boolean): LogicFunction {
  return ofTexts([2, 2], ([hay = '', needle = '']) => finds(hay.toLowerCase(), needle.toLowerCase()));
}

/** Returns the number of characters that an argument asks for, at least 0. */
function count(text: string): number {
  return Math.max(0, Math.trunc(numberOf(text)) || 0);
}

const ANY_NUMBER = Number.POSITIVE_INFINITY;
/** The most a field can hold. Longer results are blank, because a few nested calls could use up the memory. */
const LONGEST_TEXT = 65_535;

function joined(parts: readonly string[], separator: string): string {
  const length = parts.reduce((sum, part) => sum + part.length, (parts.length - 1) * separator.length);
  return length > LONGEST_TEXT ? '' : parts.join(separator);
}

/** Returns the characters of a text. An emoji is one, though it has two UTF-16 code units. */
function charactersOf(text: string): readonly string[] {
  return [...text];
}

/** Returns the characters from an offset, which counts from 0. */
function part(text: string, from: number, length: number): string {
  return charactersOf(text)
    .slice(from, from + length)
    .join('');
}

/** Returns the position of a text in another, counted from 1; 0 if it is absent. */
function positionOf(needle: string, hay: string): number {
  const at = hay.indexOf(needle);
  return at === -1 ? 0 : charactersOf(hay.slice(0, at)).length + 1;
}

/** @see docs/protocol/redcap.md 7.4 (doc), groups type, missing codes, text search and text */
const TEXT_FUNCTIONS: Readonly<Record<string, LogicFunction>> = {
  isnumber: { arity: [1, 1], apply: ([value = '']) => truthValue(isNumeric(value)) },
  isinteger: ofTexts([1, 1], ([text = '']) => /^[-+]?\d+$/.test(text)),

  isblankormissingcode: ofTexts(
    [1, 1],
    ([text = ''], { missingDataCodes }) => text === '' || missingDataCodes.has(text),
  ),
  isblanknotmissingcode: ofTexts([1, 1], ([text]) => text === ''),
  ismissingcode: ofTexts([1, 1], ([text = ''], { missingDataCodes }) => missingDataCodes.has(text)),
  hasmissingcode: ofTexts(
    [2, 2],
    ([text = '', codes = ''], { missingDataCodes }) =>
      missingDataCodes.has(text) && codes.split(',').some((code) => code.trim() === text),
  ),

  contains: search((hay, needle) => hay.includes(needle)),
  not_contain: search((hay, needle) => !hay.includes(needle)),
  starts_with: search((hay, needle) => hay.startsWith(needle)),
  ends_with: search((hay, needle) => hay.endsWith(needle)),
  // Here the text to find comes first, and positions count from 1.
  find: ofTexts([2, 2], ([needle = '', hay = '']) => positionOf(needle.toLowerCase(), hay.toLowerCase())),

  left: ofTexts([2, 2], ([text = '', length = '']) => part(text, 0, count(length))),
  right: ofTexts([2, 2], ([text = '', length = '']) => {
    const all = charactersOf(text).length;
    return part(text, Math.max(0, all - count(length)), all);
  }),
  mid: ofTexts([3, 3], ([text = '', start = '', length = '']) =>
    part(text, Math.max(0, count(start) - 1), count(length)),
  ),
  length: ofTexts([1, 1], ([text = '']) => charactersOf(text).length),
  trim: ofTexts([1, 1], ([text = '']) => text.trim()),
  upper: ofTexts([1, 1], ([text = '']) => text.toUpperCase()),
  lower: ofTexts([1, 1], ([text = '']) => text.toLowerCase()),
  replace_text: ofTexts([3, 3], ([text = '', from = '', to = '']) =>
    from === '' ? text : joined(text.split(from), to),
  ),
  concat: ofTexts([1, ANY_NUMBER], (texts) => joined(texts, '')),
  concat_ws: ofTexts([2, ANY_NUMBER], ([separator = '', ...texts]) =>
    joined(
      texts.filter((text) => text !== ''),
      separator,
    ),
  ),
};

/** The functions of the language, by their lower-case names. @see docs/protocol/redcap.md 7.4 (doc) */
export const FUNCTIONS: ReadonlyMap<string, LogicFunction> = new Map([
  // The evaluator handles `if` itself and evaluates only one branch. This entry provides its number of arguments.
  ['if', { arity: [3, 3], apply: ([, yes = '']) => yes } satisfies LogicFunction],
  ...Object.entries(DATE_FUNCTIONS),
  ...Object.entries(NUMBER_FUNCTIONS),
  ...Object.entries(TEXT_FUNCTIONS),
]);

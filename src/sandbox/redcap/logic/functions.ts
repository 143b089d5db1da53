import { dateFunctions } from './date-functions.js';
import type { LogicFunction } from './function-types.js';
import { fromBoolean, fromNumber, isBlank, isNumeric, toNumber, type LogicValue } from './values.js';

const ANY = Number.POSITIVE_INFINITY;

/** Defines a function of texts and numbers. Missing arguments are blank. */
const define = (
  least: number,
  most: number,
  apply: (...given: LogicValue[]) => LogicValue | boolean,
): LogicFunction => ({
  arity: [least, most],
  apply: (given) => {
    const result = apply(...given);
    return typeof result === 'boolean' ? fromBoolean(result) : result;
  },
});

/** Defines a function of one number. */
const numeric = (apply: (value: number) => number): LogicFunction =>
  define(1, 1, (value = '') => fromNumber(apply(toNumber(value))));

/** Defines a function of all arguments that are not blank. Its result is blank if there are none. */
const statistic = (apply: (values: number[]) => number): LogicFunction =>
  define(1, ANY, (...values) => {
    const numbers = values.filter((value) => !isBlank(value)).map(toNumber);
    return numbers.length === 0 ? '' : fromNumber(apply(numbers));
  });

const rounding = (round: (value: number) => number): LogicFunction =>
  define(1, 2, (value = '', digits = 0) => {
    const scale = 10 ** (isBlank(digits) ? 0 : toNumber(digits));
    const scaled = toNumber(value) * scale;
    const exact = Math.abs(scaled) < 1e15 ? Number(scaled.toPrecision(15)) : scaled;
    return fromNumber(round(exact) / scale);
  });

/** Defines a case-insensitive search. */
const search = (test: (hay: string, needle: string) => boolean): LogicFunction =>
  define(2, 2, (hay = '', needle = '') => test(lower(hay), lower(needle)));

/** Defines a test of a value against the project's missing data codes; the second argument lists the wanted ones. */
const missing = (
  count: 1 | 2,
  test: (value: LogicValue, codes: ReadonlySet<string>, wanted: string) => boolean,
): LogicFunction => ({
  arity: [count, count],
  apply: ([value = '', wanted = ''], { missingCodes }) =>
    fromBoolean(test(value, missingCodes, String(wanted))),
});

const lower = (value: LogicValue): string => String(value).toLowerCase();
const text = (value: LogicValue = ''): string => String(value);
/** PHP counts characters, JavaScript UTF-16 code units: an emoji has two of these. */
const letters = (value?: LogicValue): string[] => Array.from(text(value));
/** The longest text that a field can hold. A longer result is blank. */
const MAX_TEXT = 65_535;

/** Joins texts, unless the result would be too long. */
function joined(parts: readonly string[], separator: string): string {
  const length = parts.reduce((total, part) => total + part.length + separator.length, 0);
  return length > MAX_TEXT + separator.length ? '' : parts.join(separator);
}

/** Replaces every occurrence. An empty search text matches nothing. */
function replaceText(value?: LogicValue, from?: LogicValue, to?: LogicValue): string {
  if (text(from) === '') return text(value);
  const parts = text(value).split(text(from));
  const length = text(value).length + (parts.length - 1) * text(to).length;
  return length > MAX_TEXT ? '' : parts.join(text(to));
}

function find(needle: string, hay: string): number {
  const at = hay.indexOf(needle);
  return at === -1 ? 0 : letters(hay.slice(0, at)).length + 1;
}

const count = (value: LogicValue = ''): number => Math.max(0, Math.trunc(toNumber(value)) || 0);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return mean(middle);
}

function deviation(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - average) ** 2)) / (values.length - 1));
}

/** The functions of the logic language, by lowercase name. @see docs/protocol/redcap.md 7.4 (doc) */
export const FUNCTIONS: ReadonlyMap<string, LogicFunction> = new Map<string, LogicFunction>([
  ...dateFunctions,
  // The evaluator handles `if` itself, to evaluate one branch only. This entry only sets the number of arguments.
  ['if', define(3, 3, (_condition = '', yes = '') => yes)],

  ['round', rounding((value) => Math.sign(value) * Math.round(Math.abs(value)))],
  ['roundup', rounding((value) => Math.sign(value) * Math.ceil(Math.abs(value)))],
  ['rounddown', rounding(Math.trunc)],
  ['sqrt', numeric(Math.sqrt)],
  ['abs', numeric(Math.abs)],
  ['exponential', numeric(Math.exp)],
  [
    'log',
    define(1, 2, (value = '', base = '') =>
      fromNumber(Math.log(toNumber(value)) / (isBlank(base) ? 1 : Math.log(toNumber(base)))),
    ),
  ],
  ['mod', define(2, 2, (left = '', right = '') => fromNumber(toNumber(left) % toNumber(right)))],
  ['min', statistic((values) => Math.min(...values))],
  ['max', statistic((values) => Math.max(...values))],
  ['mean', statistic(mean)],
  ['median', statistic(median)],
  ['sum', statistic(sum)],
  ['stdev', statistic(deviation)],

  ['isnumber', define(1, 1, (value = '') => isNumeric(value))],
  ['isinteger', define(1, 1, (value = '') => /^[-+]?\d+$/.test(text(value)))],

  ['isblankormissingcode', missing(1, (value, codes) => isBlank(value) || codes.has(text(value)))],
  ['isblanknotmissingcode', define(1, 1, (value = '') => isBlank(value))],
  ['ismissingcode', missing(1, (value, codes) => codes.has(text(value)))],
  [
    'hasmissingcode',
    missing(2, (value, codes, wanted) => {
      const isWanted = wanted.split(',').some((code) => code.trim() === text(value));
      return isWanted && codes.has(text(value));
    }),
  ],

  ['contains', search((hay, needle) => hay.includes(needle))],
  ['not_contain', search((hay, needle) => !hay.includes(needle))],
  ['starts_with', search((hay, needle) => hay.startsWith(needle))],
  ['ends_with', search((hay, needle) => hay.endsWith(needle))],
  // Here the search text is the first argument, and positions start at 1.
  ['find', define(2, 2, (needle = '', hay = '') => find(lower(needle), lower(hay)))],

  ['left', define(2, 2, (value, length) => letters(value).slice(0, count(length)).join(''))],
  [
    'right',
    define(2, 2, (value, length) =>
      count(length) === 0 ? '' : letters(value).slice(-count(length)).join(''),
    ),
  ],
  [
    'mid',
    define(3, 3, (value, start, length) => {
      const from = Math.max(0, count(start) - 1);
      return letters(value)
        .slice(from, from + count(length))
        .join('');
    }),
  ],
  ['length', define(1, 1, (value) => letters(value).length)],
  ['trim', define(1, 1, (value) => text(value).trim())],
  ['upper', define(1, 1, (value) => text(value).toUpperCase())],
  ['lower', define(1, 1, (value) => text(value).toLowerCase())],
  ['replace_text', define(3, 3, replaceText)],
  ['concat', define(1, ANY, (...parts) => joined(parts.map(text), ''))],
  [
    'concat_ws',
    define(2, ANY, (separator = '', ...parts) =>
      joined(
        parts.map(text).filter((part) => part !== ''),
        text(separator),
      ),
    ),
  ],
]);

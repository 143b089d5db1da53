import type { FunctionContext, LogicFunction } from './function-types.js';
import { isNumeric, numberOf, truthValue, type LogicValue } from './values.js';

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
/** The most a field can hold. Longer results are blank, because a few nested replacements could use up the memory. */
const LONGEST_TEXT = 65_535;

function replaced(text: string, from: string, to: string): string {
  if (from === '') return text;
  const parts = text.split(from);
  const length = text.length + (parts.length - 1) * to.length;
  return length > LONGEST_TEXT ? '' : parts.join(to);
}

/** @see docs/protocol/redcap.md 7.4 (doc), groups type, missing codes, text search and text */
export const TEXT_FUNCTIONS: Readonly<Record<string, LogicFunction>> = {
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
  find: ofTexts([2, 2], ([needle = '', hay = '']) => hay.toLowerCase().indexOf(needle.toLowerCase()) + 1),

  left: ofTexts([2, 2], ([text = '', length = '']) => text.slice(0, count(length))),
  right: ofTexts([2, 2], ([text = '', length = '']) => text.slice(Math.max(0, text.length - count(length)))),
  mid: ofTexts([3, 3], ([text = '', start = '', length = '']) => {
    const from = Math.max(0, count(start) - 1);
    return text.slice(from, from + count(length));
  }),
  length: ofTexts([1, 1], ([text = '']) => text.length),
  trim: ofTexts([1, 1], ([text = '']) => text.trim()),
  upper: ofTexts([1, 1], ([text = '']) => text.toUpperCase()),
  lower: ofTexts([1, 1], ([text = '']) => text.toLowerCase()),
  replace_text: ofTexts([3, 3], ([text = '', from = '', to = '']) => replaced(text, from, to)),
  concat: ofTexts([1, ANY_NUMBER], (texts) => texts.join('')),
  concat_ws: ofTexts([2, ANY_NUMBER], ([separator, ...texts]) =>
    texts.filter((text) => text !== '').join(separator),
  ),
};

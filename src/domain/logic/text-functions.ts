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

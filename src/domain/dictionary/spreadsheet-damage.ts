import { say, type Sentence } from '../errors/sentences.js';
import type { Field } from './field.js';
import { valueOfNumber } from './typed-values.js';

/**
 * Returns why a spreadsheet, or a program that writes tables, has probably made a value of what was meant, and how to
 * keep it as it was.
 *
 * @param value one that its field refuses
 * @param isValid whether the field accepts another value
 */
export function damageOf(
  { type, validationType }: Pick<Field, 'type' | 'validationType'>,
  value: string,
  isValid: (value: string) => boolean,
): Sentence | undefined {
  if (/^date/.test(validationType))
    return DAY_NUMBER.test(value) && !isYear(value) ? say('spreadsheet_day') : undefined;
  if (/^time/.test(validationType)) return DAY_FRACTION.test(value) ? say('spreadsheet_time') : undefined;
  if (EXPONENT.test(value)) return say('spreadsheet_exponent');
  const whole = /^(\d+)[.,]0+$/.exec(value)?.[1];
  if (whole !== undefined && isValid(whole)) return say('spreadsheet_decimals');
  if (type !== 'text' || !/^\d+$/.test(value)) return undefined;
  return isValid(`0${value}`) || isValid(`00${value}`) ? say('spreadsheet_zeros') : undefined;
}

/** Whether a spreadsheet shows a long number like this, whose other digits are lost when it is saved as text. */
export function isShortened(text: string): boolean {
  return EXPONENT.test(text);
}

/**
 * Whether two texts are the same number, which spreadsheets write in one way: `0012`, `12`, `12.0`, `1.2e1`, and
 * `1,200` for `1200`; or whether the second has lost digits of the first, of which spreadsheets keep fifteen.
 */
export function isSameNumber(one: string, other: string): boolean {
  const values = valuesOf(one);
  return valuesOf(other).some((value) => values.includes(value)) || isShortenedBy(one, other);
}

/** Whether a text is a number of which a spreadsheet has made another, by its first fifteen digits. */
export function isShortenedBy(one: string, other: string): boolean {
  return (
    one.length > 15 &&
    one.length === other.length &&
    one.startsWith(other.slice(0, 15)) &&
    /^\d{15}0+$/.test(other) &&
    valuesOf(one).length > 0
  );
}

/** Returns the numbers for which a text may stand; a comma is a decimal comma, or it separates thousands. */
export function valuesOf(text: string): string[] {
  if (text.length > LONGEST) return [];
  const written = GROUPED.test(text) ? [text, text.replace(/\D/g, '')] : [text];
  return written.flatMap((each) => valueOfNumber(each) ?? []);
}

function isYear(value: string): boolean {
  return /^(?:19|20)\d\d$/.test(value);
}

/** A day from 1902 to 2173 as spreadsheets count them, with the time of day as a fraction. */
const DAY_NUMBER = /^[1-9]\d{2,4}(?:[.,]\d+)?$/;
const DAY_FRACTION = /^0?[.,]\d+$/;
const EXPONENT = /^[-+]?\d(?:[.,]\d+)?[eE]\+\d{1,3}$/;
const GROUPED = /^\d{1,3}(?:([,.'’\u0020\u00a0\u202f])\d{3})(?:\1\d{3})*$/;
/** No number of a spreadsheet is longer. */
const LONGEST = 400;

/** Returns a text without blanks around it, also non-breaking ones and characters that nobody sees. */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && UNSEEN.test(text[start] ?? '')) start++;
  while (end > start && UNSEEN.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

/** Returns a text as it looks: with simple blanks, and without what nobody sees. */
export function asSeen(text: string): string {
  return withoutBlanks(text.replace(/\p{Z}/gu, ' ').replace(/\p{Cf}/gu, ''));
}

const UNSEEN = /[\s\p{Z}\p{Cf}]/u;

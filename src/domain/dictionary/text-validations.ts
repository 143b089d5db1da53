import { say, type Sentence } from '../errors/sentences.js';

/** The stored values that a text validation accepts. */
export interface TextValidation {
  /** Must match in linear time, because values come from outside and can be long. */
  readonly pattern: RegExp;
  readonly rule: Sentence;
  /** How two values compare; undefined if their order has no meaning. */
  readonly order?: 'number' | 'text';
  /** Whether the date must be checked as well: `2026-02-30` matches the pattern of a date. */
  readonly isDate?: boolean;
}

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const MINUTE = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;

const dated = (code: 'date' | 'datetime', form: string, time = ''): TextValidation => ({
  pattern: new RegExp(`^${DATE}${time}$`),
  rule: say(code, { form }),
  order: 'text',
  isDate: true,
});
const date = dated('date', 'YYYY-MM-DD');
const datetime = dated('datetime', 'YYYY-MM-DD HH:MM', ` ${MINUTE}`);
const datetimeSeconds = dated('datetime', 'YYYY-MM-DD HH:MM:SS', ` ${MINUTE}:[0-5]\\d`);

const time = (form: string, pattern: string): TextValidation => ({
  pattern: new RegExp(`^${pattern}$`),
  rule: say('time', { form }),
  order: 'text',
});

const number = (pattern: RegExp, rule: Sentence): TextValidation => ({ pattern, rule, order: 'number' });
const decimals = (places: number, separator: '.' | ','): TextValidation =>
  number(
    new RegExp(`^[-+]?\\d*\\${separator}\\d{${places}}$`),
    say('decimals', { places, separator: separator === '.' ? 'point' : 'comma' }),
  );

/** Those whose order has no meaning, each of which has a sentence of its name. */
const UNORDERED = {
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  phone: /^(?:\+?1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]?[2-9]\d{2}[ .-]?\d{4}(?: ?(?:x|ext\.?) ?\d+)?$/,
  phone_australia: /^\(?0[2-8]\)?[ ]?\d{4}[ ]?\d{4}$|^04\d{2}[ ]?\d{3}[ ]?\d{3}$/,
  postalcode_australia: /^\d{4}$/,
  postalcode_canada: /^[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d$/,
  postalcode_french: /^\d{5}$/,
  postalcode_germany: /^\d{5}$/,
  zipcode: /^\d{5}(?:-\d{4})?$/,
  ssn: /^\d{3}-\d{2}-\d{4}$/,
  alpha_only: /^[A-Za-z]+$/,
} as const;

/**
 * The validations that come with REDCap, by name. The display order of a date (`_mdy`) does not change how it is
 * stored.
 *
 * @see docs/protocol/redcap.md 8.4 (wire, client)
 */
export const TEXT_VALIDATIONS: ReadonlyMap<string, TextValidation> = new Map<string, TextValidation>([
  ...['ymd', 'mdy', 'dmy'].flatMap((order): [string, TextValidation][] => [
    [`date_${order}`, date],
    [`datetime_${order}`, datetime],
    [`datetime_seconds_${order}`, datetimeSeconds],
  ]),
  ['time', time('HH:MM', MINUTE)],
  ['time_hh_mm_ss', time('HH:MM:SS', `${MINUTE}:[0-5]\\d`)],
  ['time_mm_ss', time('MM:SS', '[0-5]\\d:[0-5]\\d')],
  ['integer', number(/^[-+]?\d+$/, say('whole_number'))],
  ['number', number(/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/, say('number'))],
  ['number_comma_decimal', number(/^[-+]?(?:\d+(?:,\d*)?|,\d+)$/, say('number_with_comma'))],
  ...[1, 2, 3, 4].flatMap((places): [string, TextValidation][] => [
    [`number_${places}dp`, decimals(places, '.')],
    [`number_${places}dp_comma_decimal`, decimals(places, ',')],
  ]),
  ...(Object.keys(UNORDERED) as (keyof typeof UNORDERED)[]).map((name): [string, TextValidation] => [
    name,
    { pattern: UNORDERED[name], rule: say(name) },
  ]),
]);

/** @returns whether a text has the form of the validation and, if it is a date, exists */
export function isValidText(text: string, { pattern, isDate = false }: TextValidation): boolean {
  return pattern.test(text) && (!isDate || isRealDate(text));
}

/** @returns the same for a validation that comes with REDCap; false if there is none with this name */
export function isTextOf(validation: string, text: string): boolean {
  const found = TEXT_VALIDATIONS.get(validation);
  return found !== undefined && isValidText(text, found);
}

/** @returns whether a text in the form `YYYY-MM-DD…` is a date that exists; the 30th of February is not */
function isRealDate(text: string): boolean {
  return numberAt(text, 8, 10) <= daysIn(numberAt(text, 0, 4), numberAt(text, 5, 7));
}

/** Parses digits without creating strings, because dates are read by the million. */
export function numberAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

/** Whether a text is a day that exists, as `YYYY-MM-DD`. `Date` would take the 31st of February for a day in March. */
export function isDay(text: string): boolean {
  return isTextOf('date_ymd', text);
}

/**
 * @param month from 1
 * @returns the number of days in a month of the proleptic Gregorian calendar, as in ISO 8601
 */
export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

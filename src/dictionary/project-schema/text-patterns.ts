import { TEXT_VALIDATIONS } from '../text-validations.js';

const DAYS =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])';
const LEAP_YEARS = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
/** A day that there is: `2026-02-30` looks like one and is none. */
const REAL_DATE = `(?:\\d{4}-(?:${DAYS})|${LEAP_YEARS}-02-29)`;
const MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/**
 * The pattern of a text validation in JSON Schema, which is more exact than the pattern alone: it knows which days there are.
 *
 * @param between what stands between date and time: a blank in REDCap, `T` in ISO 8601
 * @returns undefined for a validation that a site has made itself
 */
export function patternOfValidation(validation: string, between: ' ' | 'T' = ' '): string | undefined {
  const known = TEXT_VALIDATIONS.get(validation);
  if (known === undefined) return undefined;
  if (validation.startsWith('date_')) return `^${REAL_DATE}$`;
  if (validation.startsWith('datetime_seconds_')) return `^${REAL_DATE}${between}${MINUTE}:[0-5]\\d$`;
  if (validation.startsWith('datetime_')) return `^${REAL_DATE}${between}${MINUTE}$`;
  // A JSON Schema is read with the flag u, which knows no escape of a comma.
  return known.pattern.source.replaceAll('\\,', ',').replaceAll('\\/', '/');
}

/**
 * Texts of one length and form, such as dates, that are not before a text, or not behind it.
 *
 * @param limit digits with signs between them
 */
export function patternOfOrder(limit: string, side: 'from' | 'to'): string {
  const alternatives = [...limit].flatMap((character, at) => {
    const digits = digitsBeyond(character, side);
    return digits === undefined ? [] : [`${escaped(limit.slice(0, at))}${digits}.*`];
  });
  return `^(?:${[escaped(limit), ...alternatives].join('|')})$`;
}

/** @returns a class of the digits above or below one; undefined where there is none */
function digitsBeyond(character: string, side: 'from' | 'to'): string | undefined {
  if (!/\d/.test(character)) return undefined;
  const digit = Number(character);
  if (side === 'from') return digit === 9 ? undefined : `[${digit + 1}-9]`;
  return digit === 0 ? undefined : `[0-${digit - 1}]`;
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}

/**
 * The whole numbers from one to another, however many zeros stand before them.
 *
 * @param hasPlus whether a plus may stand before them
 * @returns undefined where there are too many: JSON Schema does not compare text
 */
export function patternOfRange(minimum: number, maximum: number, hasPlus: boolean): string | undefined {
  if (!(maximum - minimum <= MOST_NUMBERS)) return undefined;
  const first = Math.ceil(minimum);
  const numbers = Array.from({ length: Math.max(0, Math.floor(maximum) - first + 1) }, (_, at) => first + at);
  const [below, above] = [numbers.filter((number) => number <= 0), numbers.filter((number) => number >= 0)];
  const alternatives = [
    ...(above.length > 0 ? [`${hasPlus ? '\\+?' : ''}0*(?:${above.join('|')})`] : []),
    ...(below.length > 0 ? [`-0*(?:${below.map(Math.abs).join('|')})`] : []),
  ];
  // Nothing lies between limits that have changed places.
  return alternatives.length === 0 ? '^(?!)$' : `^(?:${alternatives.join('|')})$`;
}

const MOST_NUMBERS = 1000;

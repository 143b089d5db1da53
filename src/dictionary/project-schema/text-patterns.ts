import { TEXT_VALIDATIONS } from '../text-validations.js';

const DAYS =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])';
const LEAP_YEARS = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
/** Dates that exist: `2026-02-30` has the right form but is not one. */
const REAL_DATE = `(?:\\d{4}-(?:${DAYS})|${LEAP_YEARS}-02-29)`;
const MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/**
 * Returns the pattern of a text validation for JSON Schema. It is stricter than the validation's own pattern, because
 * it only accepts dates that exist.
 *
 * @param between the separator of date and time: a blank in REDCap, `T` in ISO 8601
 * @returns undefined for a validation that a site has added
 */
export function patternOfValidation(validation: string, between: ' ' | 'T'): string | undefined {
  const known = TEXT_VALIDATIONS.get(validation);
  if (known === undefined) return undefined;
  if (validation.startsWith('date_')) return `^${REAL_DATE}$`;
  if (validation.startsWith('datetime_seconds_')) return `^${REAL_DATE}${between}${MINUTE}:[0-5]\\d$`;
  if (validation.startsWith('datetime_')) return `^${REAL_DATE}${between}${MINUTE}$`;
  // JSON Schema patterns have the `u` flag, which does not allow an escaped comma.
  return known.pattern.source.replaceAll('\\,', ',').replaceAll('\\/', '/');
}

/**
 * Matches texts of the same length and form, such as dates, that are not before a limit, or not after it.
 *
 * @param limit digits with separators between them
 */
export function patternOfOrder(limit: string, side: 'from' | 'to'): string {
  const alternatives = [...limit].flatMap((character, at) => {
    const digits = digitsBeyond(character, side);
    return digits === undefined ? [] : [`${escaped(limit.slice(0, at))}${digits}.*`];
  });
  return `^(?:${[escaped(limit), ...alternatives].join('|')})$`;
}

/** @returns a character class of the digits above or below a digit; undefined if there are none */
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
 * Matches the whole numbers of a range, with any number of leading zeros.
 *
 * @param hasPlus whether a plus sign may precede them
 * @returns undefined if there are too many numbers, because JSON Schema cannot compare text as numbers
 */
export function patternOfRange(minimum: number, maximum: number, hasPlus: boolean): string | undefined {
  if (!(maximum - minimum <= MAX_NUMBERS)) return undefined;
  const first = Math.ceil(minimum);
  const numbers = Array.from({ length: Math.max(0, Math.floor(maximum) - first + 1) }, (_, at) => first + at);
  const [below, above] = [numbers.filter((number) => number <= 0), numbers.filter((number) => number >= 0)];
  const alternatives = [
    ...(above.length > 0 ? [`${hasPlus ? '\\+?' : ''}0*(?:${above.join('|')})`] : []),
    ...(below.length > 0 ? [`-0*(?:${below.map(Math.abs).join('|')})`] : []),
  ];
  // If the limits are reversed, nothing matches.
  return alternatives.length === 0 ? '^(?!)$' : `^(?:${alternatives.join('|')})$`;
}

const MAX_NUMBERS = 1000;

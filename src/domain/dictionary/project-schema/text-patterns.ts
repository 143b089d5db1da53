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

import type { Field } from '../../domain/dictionary/field.js';

const DATE = String.raw`(19|20)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d`;

/**
 * The text validation types with the pattern of stored values.
 *
 * @see docs/protocol/redcap.md 8.4 (wire, client); the patterns are ours (choice)
 */
export const TEXT_VALIDATIONS: readonly (readonly [name: string, regex: string])[] = [
  ['alpha_only', '/^[a-z]+$/i'],
  ...['dmy', 'mdy', 'ymd'].map((order) => [`date_${order}`, `/^${DATE}$/`] as const),
  ...['dmy', 'mdy', 'ymd'].map((order) => [`datetime_${order}`, `/^${DATE} ${TIME}$/`] as const),
  ...['dmy', 'mdy', 'ymd'].map(
    (order) => [`datetime_seconds_${order}`, `/^${DATE} ${TIME}:[0-5]\\d$/`] as const,
  ),
  ['email', String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`],
  ['integer', String.raw`/^[-+]?\d+$/`],
  ['number', String.raw`/^[-+]?(\d+(\.\d*)?|\.\d+)$/`],
  ...[1, 2, 3, 4].map((places) => [`number_${places}dp`, `/^[-+]?\\d+\\.\\d{${places}}$/`] as const),
  ['number_comma_decimal', String.raw`/^[-+]?(\d+(,\d*)?|,\d+)$/`],
  ...[1, 2, 3, 4].map(
    (places) => [`number_${places}dp_comma_decimal`, `/^[-+]?\\d+,\\d{${places}}$/`] as const,
  ),
  ['phone', String.raw`/^\(?[2-9]\d{2}\)?[-. ]?[2-9]\d{2}[-. ]?\d{4}$/`],
  ['ssn', String.raw`/^\d{3}-\d{2}-\d{4}$/`],
  ['time', `/^${TIME}$/`],
  ['time_hh_mm_ss', `/^${TIME}:[0-5]\\d$/`],
  ['time_mm_ss', String.raw`/^[0-5]\d:[0-5]\d$/`],
  ['zipcode', String.raw`/^\d{5}(-\d{4})?$/`],
];

/** Whether the values of a field are dates with times. */
export function isDateTime({ type, validationType }: Field): boolean {
  return type === 'text' && validationType.startsWith('datetime');
}

import { isTextOf } from '../../../dictionary/text-validations.js';
import { InvalidRequestError } from '../../../errors/caller-errors.js';

/*
 * Checks of single parameters. REDCap ignores some parameters that it cannot read, and a call that was to be narrow
 * would then be wide, so these are checked before anything is sent, also for callers without types.
 */

/** @throws {InvalidRequestError} the value is not a whole number from 1 to 2,147,483,647 */
export function positiveInteger(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= 2_147_483_647) return value;
  throw invalid(field, 'must be a whole number from 1');
}

/** @throws {InvalidRequestError} the value is given, and is not a whole number from 1 to 2,147,483,647 */
export function optionalPositiveInteger(field: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : positiveInteger(field, value);
}

/** @throws {InvalidRequestError} the value is not a whole number */
export function wholeNumber(field: string, value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw invalid(field, 'must be a whole number');
}

/** @throws {InvalidRequestError} the value is given, and is not a whole number */
export function optionalWholeNumber(field: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : wholeNumber(field, value);
}

/** @throws {InvalidRequestError} the value is not text, or is blank */
export function requiredName(field: string, value: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalid(field, 'must be text, and not blank');
}

/** @throws {InvalidRequestError} the value is not text; it may be blank */
export function anyText(field: string, value: string): string {
  if (typeof value === 'string') return value;
  throw invalid(field, 'must be text');
}

/** @throws {InvalidRequestError} the value is given, and is not text; it may be blank */
export function optionalText(field: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : anyText(field, value);
}

/** @throws {InvalidRequestError} the value is given, and is not a date that exists, as `YYYY-MM-DD`; it may be blank */
export function optionalDate(field: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '' || hasForm(value, 'date_ymd')) return value;
  throw invalid(field, 'must be a date, as YYYY-MM-DD');
}

/** @throws {InvalidRequestError} the value is given, and is not a moment that exists, as `YYYY-MM-DD HH:MM` */
export function optionalMinute(field: string, value: string | undefined): string | undefined {
  if (value === undefined || hasForm(value, 'datetime_ymd')) return value;
  throw invalid(field, 'must have the form YYYY-MM-DD HH:MM, and exist');
}

/** @throws {InvalidRequestError} the value is given, and is not a moment that exists, with or without seconds */
export function optionalMoment(field: string, value: string | undefined): string | undefined {
  if (value === undefined || hasForm(value, 'datetime_ymd') || hasForm(value, 'datetime_seconds_ymd')) {
    return value;
  }
  throw invalid(field, 'must have the form YYYY-MM-DD HH:MM:SS, and exist');
}

/** The name and the value of a parameter. */
type Moment = readonly [field: string, value: string | undefined];

/**
 * Refuses a range of time that ends before it begins, for which REDCap returns an empty list.
 *
 * @param start as checked by `optionalMinute` or `optionalMoment`, like `end`
 * @throws {InvalidRequestError} both are given, and the start is later than the end
 */
export function refuseReversed([field, start]: Moment, [endField, end]: Moment): void {
  if (start === undefined || end === undefined || withSeconds(start) <= withSeconds(end)) return;
  throw invalid(field, `must not be later than ${endField}`);
}

function withSeconds(moment: string): string {
  return moment.length === '2026-01-31 08:15'.length ? `${moment}:00` : moment;
}

/** @throws {InvalidRequestError} the value is given, and is not one of those that are allowed */
export function optionalOneOf<Value extends string>(
  field: string,
  value: Value | undefined,
  allowed: readonly Value[],
): Value | undefined {
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(field, `must be one of ${allowed.join(', ')}`);
}

function hasForm(value: string, validation: string): boolean {
  return typeof value === 'string' && isTextOf(validation, value);
}

function invalid(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}

import { FORM_STATUS_CHOICES, type Choice } from './choices.js';
import { daysIn } from './days.js';
import type { ExportColumn } from './export-column.js';
import type { Field } from './field.js';

/**
 * Checks whether the bytes of a non-blank value certainly satisfy the rule of their column. `false` means that the
 * value must be checked as text. Allocates nothing.
 */
export type ByteRule = (bytes: Uint8Array, start: number, end: number) => boolean;

export const ANY_BYTES: ByteRule = () => true;
export const NO_BYTES: ByteRule = () => false;

/** @returns the rule of a column for bytes: it only accepts what `compileValueRule` accepts too, limits included */
export function compileByteRule({ field }: ExportColumn, choices: readonly Choice[]): ByteRule {
  if (field === undefined) return oneOf(FORM_STATUS_CHOICES);
  switch (field.type) {
    case 'checkbox':
      return isZeroOrOne;
    case 'radio':
    case 'dropdown':
    case 'yesno':
    case 'truefalse':
      return oneOf(choices);
    case 'slider':
      return wholeNumber(field.validationMin || '0', field.validationMax || '100');
    case 'text':
      return textRule(field);
    default:
      return ANY_BYTES;
  }
}

function textRule({ validationType, validationMin, validationMax }: Field): ByteRule {
  if (validationType === '') return ANY_BYTES;
  if (validationType === 'integer') return wholeNumber(validationMin, validationMax);
  if (validationType === 'number') return decimalNumber(validationMin, validationMax);
  if (/^date_[a-z]{3}$/.test(validationType) && validationMin === '' && validationMax === '') return isDate;
  return NO_BYTES;
}

/** Accepts the codes of choices, compared as bytes. Long lists are left to the set of the rule for text. */
function oneOf(choices: readonly Choice[]): ByteRule {
  if (choices.length > MAX_CHOICES) return NO_BYTES;
  const codes = choices.map(({ code }) => Buffer.from(code));
  return (bytes, start, end) => {
    for (let at = 0; at < codes.length; at++)
      if (isEqual(codes[at] ?? NOTHING, bytes, start, end)) return true;
    return false;
  };
}

function isEqual(code: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (code.length !== end - start) return false;
  for (let at = 0; at < code.length; at++) if (code[at] !== bytes[start + at]) return false;
  return true;
}

function isZeroOrOne(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && (bytes[start] === ZERO || bytes[start] === ZERO + 1);
}

function wholeNumber(minimum: string, maximum: string): ByteRule {
  const limits = limitsOf(minimum, maximum);
  if (limits === undefined) return NO_BYTES;
  const { least, most } = limits;
  return (bytes, start, end) => {
    const isNegative = bytes[start] === MINUS;
    const from = isNegative ? start + 1 : start;
    if (from === end || end - from > MAX_DIGITS) return false;
    let value = 0;
    for (let at = from; at < end; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) return false;
      value = value * 10 + digit;
    }
    if (isNegative) value = -value;
    return value >= least && value <= most;
  };
}

/**
 * Accepts numbers without an exponent. Decimals with limits are left to the rule for text, which rounds like
 * JavaScript.
 */
function decimalNumber(minimum: string, maximum: string): ByteRule {
  const isWhole = wholeNumber(minimum, maximum);
  if (minimum !== '' || maximum !== '') return isWhole;
  return (bytes, start, end) => {
    let digits = 0;
    let points = 0;
    for (let at = bytes[start] === MINUS ? start + 1 : start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) digits++;
      else if (byte === POINT && digits > 0) points++;
      else return false;
    }
    return digits > 0 && points <= 1;
  };
}

/** Accepts `2026-02-28`, if the day exists. */
function isDate(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return false;
  const year = digitsAt(bytes, start, 2) * 100 + digitsAt(bytes, start + 2, 2);
  const month = digitsAt(bytes, start + 5, 2);
  const day = digitsAt(bytes, start + 8, 2);
  return year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Returns negative infinity if one of the bytes is not a digit. */
function digitsAt(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NEGATIVE_INFINITY;
    value = value * 10 + digit;
  }
  return value;
}

/** @returns undefined if a limit is not a literal number, such as `today` or a piped field */
function limitsOf(minimum: string, maximum: string): { least: number; most: number } | undefined {
  const [least, most] = [minimum, maximum].map((text) =>
    PLAIN_NUMBER.test(text) ? Number(text) : Number.NaN,
  );
  const limits = {
    least: minimum === '' ? Number.NEGATIVE_INFINITY : (least ?? Number.NaN),
    most: maximum === '' ? Number.POSITIVE_INFINITY : (most ?? Number.NaN),
  };
  return Number.isNaN(limits.least) || Number.isNaN(limits.most) ? undefined : limits;
}

const MAX_CHOICES = 24;
/** All whole numbers with this many digits are represented exactly. */
const MAX_DIGITS = 15;
const PLAIN_NUMBER = /^[-+]?\d{1,15}(?:\.\d{1,10})?$/;
const NOTHING = new Uint8Array(0);
const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];

import { isTextOf } from './text-validations.js';
import { BLANK_FIELD, type Field } from './field.js';

/** The types of values that fields can have. */
export type ValueKind =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'datetimeSeconds'
  | 'time'
  | 'timeSeconds'
  | 'code'
  | 'checkbox'
  | 'text';

/** How the numbers of a field are written. */
export interface NumberForm {
  /** The required number of decimals; undefined for any. */
  readonly places: number | undefined;
  readonly separator: '.' | ',';
}

/**
 * @returns the kind of a field's values; `code` for the form status, which has no field
 * @see docs/protocol/redcap.md 8.2, 8.4
 */
export function kindOf(field: Field | undefined): ValueKind {
  if (field === undefined) return 'code';
  switch (field.type) {
    case 'slider':
      return 'integer';
    case 'calc':
      return isCalculatedByTag(field) ? 'text' : 'number';
    case 'yesno':
    case 'truefalse':
      return 'boolean';
    case 'radio':
    case 'dropdown':
      return 'code';
    case 'checkbox':
      return 'checkbox';
    case 'text':
      return kindOfValidation(field.validationType);
    default:
      return 'text';
  }
}

/** Whether an action tag computes a text or a date from other fields. */
export function isCalculatedByTag({ annotation }: Field): boolean {
  return /@CALC(?:TEXT|DATE)\b/i.test(annotation);
}

function kindOfValidation(validation: string): ValueKind {
  if (validation === 'integer') return 'integer';
  if (/^number(?:_\ddp)?(?:_comma_decimal)?$/.test(validation)) return 'number';
  if (/^date_[a-z]{3}$/.test(validation)) return 'date';
  if (/^datetime_[a-z]{3}$/.test(validation)) return 'datetime';
  if (/^datetime_seconds_[a-z]{3}$/.test(validation)) return 'datetimeSeconds';
  if (validation === 'time') return 'time';
  return validation === 'time_hh_mm_ss' ? 'timeSeconds' : 'text';
}

export function numberFormOf({ validationType }: Field): NumberForm {
  const places = /^number_(\d)dp/.exec(validationType)?.[1];
  return {
    places: places === undefined ? undefined : Number(places),
    separator: validationType.includes('comma_decimal') ? ',' : '.',
  };
}

/**
 * Converts a stored text to a number if a JavaScript number can keep all of its digits. Insignificant zeros may be
 * dropped: `1.50` becomes 1.5.
 *
 * @returns undefined if the text is not a number of this kind, or if `fromNumber` would not write the same value again,
 *   for example because it has more digits than a number can keep
 */
export function toNumber(
  text: string,
  kind: 'integer' | 'number',
  { separator, places }: NumberForm,
): number | undefined {
  if (!(kind === 'integer' ? INTEGER : NUMBER).test(text)) return undefined;
  if (text.includes(separator === ',' ? '.' : ',')) return undefined;
  const plain = text.replace(',', '.');
  const value = Number(plain);
  if (separator === '.' && places === undefined && SHORT.test(plain)) return value;
  const written = fromNumber(value, kind, { places, separator });
  return written !== undefined && digitsOf(written.replace(',', '.')) === digitsOf(plain) ? value : undefined;
}

/** @returns the number as REDCap's validation of the field requires it; undefined if it cannot be written like that */
export function fromNumber(value: number, kind: 'integer' | 'number', form: NumberForm): string | undefined {
  if (!Number.isFinite(value) || (kind === 'integer' && !Number.isSafeInteger(value))) return undefined;
  const text = form.places === undefined ? String(value) : value.toFixed(form.places);
  if (form.places !== undefined && Number(text) !== value) return undefined;
  // JavaScript writes very large and very small numbers with an exponent, which only the plain `number` accepts.
  const isPlain = form.places === undefined && form.separator === '.';
  if (!isPlain && text.includes('e')) return undefined;
  return form.separator === ',' ? text.replace('.', ',') : text;
}

/**
 * @returns the stored text as ISO 8601 without a time zone, because REDCap stores none; undefined if it is not such a
 *   date or time
 */
export function toIso(text: string, kind: ValueKind): string | undefined {
  return isTextOf(STORED_AS[kind] ?? '', text) ? text.replace(' ', 'T') : undefined;
}

/**
 * Returns what makes a value of its kind of a stored text of a field. Codes stay texts.
 *
 * @returns a function that returns undefined for a text that is none of the kind
 */
export function valueReader(
  field: Field | undefined,
): (text: string) => string | number | boolean | undefined {
  const kind = kindOf(field);
  switch (kind) {
    case 'integer':
    case 'number': {
      const form = numberFormOf(field ?? BLANK_FIELD);
      return (text) => toNumber(text, kind, form);
    }
    case 'boolean':
    case 'checkbox':
      return (text) => (text === '1' ? true : text === '0' ? false : undefined);
    case 'code':
    case 'text':
      return (text) => text;
    default:
      return (text) => toIso(text, kind);
  }
}

/** @returns the date or time as REDCap stores it */
export function fromIso(text: string): string {
  return text.replace('T', ' ');
}

const STORED_AS: Partial<Record<ValueKind, string>> = {
  date: 'date_ymd',
  datetime: 'datetime_ymd',
  datetimeSeconds: 'datetime_seconds_ymd',
  time: 'time',
  timeSeconds: 'time_hh_mm_ss',
};

/** Returns the value of a decimal text in a form that is the same for all texts of that value: `1.50` and `15e-1`. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutZerosAtEnd(digits);
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** Returns the value of a number, with either decimal character, in one form for all its texts; undefined for another text. */
export function valueOfNumber(text: string): string | undefined {
  return NUMBER.test(text) ? digitsOf(text.replace(',', '.')) : undefined;
}

/** Takes linear time, which `/0+$/` does not for many zeros before another digit. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

const INTEGER = /^[-+]?\d+$/;
const NUMBER = /^[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?$/;
const DECIMAL = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/;
/** A JavaScript number keeps any 15 digits, so these need no comparison. */
const SHORT = /^[-+]?[\d.]{1,15}$/;

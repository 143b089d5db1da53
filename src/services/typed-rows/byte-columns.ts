import { byteTable } from '../../buffers/byte-table.js';
import { FORM_STATUS_CHOICES, type Choice } from '../../dictionary/choices.js';
import { checkboxColumnName, type ExportColumn } from '../../dictionary/export-column.js';
import type { Field } from '../../dictionary/field.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { kindOf, numberFormOf, toIso, type ValueKind } from '../../dictionary/typed-values.js';
import type { TypedOptions } from './row-typer.js';

/**
 * Decides what stands for a value that is not empty and has no escapes.
 *
 * @returns `SAME` for the bytes as they are, `BARE` for the bytes without their quotes, other JSON, or undefined if only
 *   `RowTyper` can tell
 */
export type ByteValue = (source: Buffer, start: number, end: number) => Buffer | undefined;

/** The value is already the JSON of its typed form. */
export const SAME = Buffer.from('same');
/** The value is a number: its JSON is the text without quotes. */
export const BARE = Buffer.from('bare');

/** A column as rows of REDCap's JSON contain it. */
export interface ByteColumn {
  /** The bytes before the value: a brace or comma, the name and a colon. */
  readonly lead: Buffer;
  /** Whether any text is kept, with its escapes. */
  readonly isText: boolean;
  readonly valueOf: ByteValue;
  /** For the columns of a checkbox field, which become one list. */
  readonly choice: ByteChoice | undefined;
}

/** One choice of a checkbox field. */
export interface ByteChoice {
  /** The bytes before the list: a comma, the name of the field and a colon. Only for the first choice of the field. */
  readonly opening: Buffer | undefined;
  readonly code: Buffer;
  readonly isLast: boolean;
}

/**
 * Compiles the columns of an export for `RowByteTyper`.
 *
 * @param names the columns in the order of the rows
 * @returns undefined for columns whose types depend on more than the bytes of one column: missing data codes of checkbox
 *   fields, and checkbox fields without some of their columns
 */
export function byteColumns(
  names: readonly string[],
  structure: ProjectStructure,
  options: TypedOptions,
): readonly ByteColumn[] | undefined {
  const { dictionary } = structure;
  const missing = structure.missingDataColumns();
  if (names.some((name) => missing.has(name))) return undefined;
  const columns: ByteColumn[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    const column = dictionary.column(name);
    const lead = leadOf(name, index);
    if (column?.field?.type !== 'checkbox') {
      columns.push({ lead, choice: undefined, ...valueRule(name, column, structure, options) });
      continue;
    }
    const { field } = column;
    const choices = dictionary.choices(field);
    if (index === 0 || !hasAll(names, index, field, choices) || structure.missingDataCodes.size > 0)
      return undefined;
    for (const [at, choice] of choices.entries()) {
      columns.push({
        lead: leadOf(names[index + at] ?? '', index + at),
        isText: false,
        valueOf: onlyByTyper,
        choice: {
          opening: at === 0 ? leadOf(field.name, index) : undefined,
          code: Buffer.from(JSON.stringify(codedOf(choice, options))),
          isLast: at === choices.length - 1,
        },
      });
    }
    index += choices.length - 1;
  }
  return columns;
}

function leadOf(name: string, index: number): Buffer {
  return Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
}

function hasAll(names: readonly string[], from: number, field: Field, choices: readonly Choice[]): boolean {
  return choices.every(({ code }, at) => names[from + at] === checkboxColumnName(field.name, code));
}

function codedOf({ code, label }: Choice, { labels }: TypedOptions): unknown {
  return labels ? { code, label } : code;
}

/** The rules of `RowTyper`, for the values whose bytes suffice. */
function valueRule(
  name: string,
  column: ExportColumn | undefined,
  structure: ProjectStructure,
  options: TypedOptions,
): Pick<ByteColumn, 'isText' | 'valueOf'> {
  if (name === 'redcap_repeat_instance') return { isText: false, valueOf: instanceNumber };
  if (column === undefined || name === structure.dictionary.recordIdField?.name)
    return { isText: true, valueOf: same };
  const valueOf = byKind(column, structure, options);
  const codes = structure.missingDataCodes;
  if (codes.size === 0) return { isText: valueOf === same, valueOf };
  return {
    isText: false,
    valueOf: (source, start, end) =>
      codes.has(source.toString('utf8', start, end)) ? undefined : valueOf(source, start, end),
  };
}

function byKind({ field }: ExportColumn, structure: ProjectStructure, options: TypedOptions): ByteValue {
  const kind = kindOf(field);
  switch (kind) {
    case 'text':
    case 'checkbox':
      return same;
    case 'integer':
      return wholeNumber;
    case 'number':
      return field === undefined ? onlyByTyper : decimalNumber(field);
    case 'boolean':
      return (source, start, end) => (end - start === 1 ? BOOLEANS.get(source[start] ?? 0) : undefined);
    case 'code':
      return oneOf(field === undefined ? FORM_STATUS_CHOICES : structure.dictionary.choices(field), options);
    default:
      return moment(kind);
  }
}

function oneOf(choices: readonly Choice[], options: TypedOptions): ByteValue {
  const json = new Map(
    choices.map((choice) => [
      choice.code,
      options.labels ? Buffer.from(JSON.stringify(codedOf(choice, options))) : SAME,
    ]),
  );
  // Nearly all codes have one character.
  const short: (Buffer | undefined)[] = Array.from({ length: 0x80 }, (_, byte) =>
    json.get(String.fromCharCode(byte)),
  );
  return (source, start, end) =>
    end - start === 1 ? short[source[start] ?? 0] : json.get(source.toString('utf8', start, end));
}

function moment(kind: ValueKind): ByteValue {
  const isDate = kind === 'date';
  return (source, start, end) => {
    if (isDate && isPlainDate(source, start, end)) return SAME;
    const text = source.toString('latin1', start, end);
    const iso = toIso(text, kind);
    return iso === undefined ? undefined : iso === text ? SAME : Buffer.from(`"${iso}"`);
  };
}

/** @returns whether the text is surely a date: `YYYY-MM-DD` up to the 28th */
function isPlainDate(source: Buffer, start: number, end: number): boolean {
  if (end - start !== 10 || source[start + 4] !== MINUS || source[start + 7] !== MINUS) return false;
  const year = numberAt(source, start) * 100 + numberAt(source, start + 2);
  const month = numberAt(source, start + 5);
  const day = numberAt(source, start + 8);
  return year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
}

/** @returns the number of two digits; NaN for other text */
function numberAt(source: Buffer, at: number): number {
  const tens = source[at] ?? 0;
  const ones = source[at + 1] ?? 0;
  return DIGITS[tens] === 1 && DIGITS[ones] === 1 ? (tens - ZERO) * 10 + ones - ZERO : NaN;
}

function decimalNumber(field: Field): ByteValue {
  const { places, separator } = numberFormOf(field);
  return (source, start, end) => {
    const fraction = fractionOf(source, start, end);
    if (fraction === 0) return BARE;
    return fraction === -1 || separator === ',' || fraction > (places ?? Infinity) ? undefined : BARE;
  };
}

/**
 * @returns the number of decimals of a number that is written as JSON writes it; -1 for other text, and for a number of
 *   more digits than a JSON number surely keeps
 */
function fractionOf(source: Buffer, start: number, end: number): number {
  if (end - start > MAX_DIGITS) return -1;
  let at = source[start] === MINUS ? start + 1 : start;
  const whole = at;
  while (at < end && DIGITS[source[at] ?? 0] === 1) at++;
  if (at === whole || (source[whole] === ZERO && (at > whole + 1 || whole > start))) return -1;
  if (at === end) return 0;
  const point = at++;
  if (source[point] !== POINT || source[end - 1] === ZERO) return -1;
  while (at < end && DIGITS[source[at] ?? 0] === 1) at++;
  return at === end && end > point + 1 ? end - point - 1 : -1;
}

const wholeNumber: ByteValue = (source, start, end) =>
  fractionOf(source, start, end) === 0 ? BARE : undefined;
const instanceNumber: ByteValue = (source, start, end) =>
  source[start] === MINUS ? undefined : wholeNumber(source, start, end);
const same: ByteValue = () => SAME;
const onlyByTyper: ByteValue = () => undefined;

const [MINUS, POINT, ZERO, ONE] = [0x2d, 0x2e, 0x30, 0x31];
/** Marks the digits. */
export const DIGITS = byteTable(Buffer.from('0123456789'));
/** The most digits of a number that JavaScript surely keeps. */
export const MAX_DIGITS = 15;
const BOOLEANS: ReadonlyMap<number, Buffer> = new Map([
  [ZERO, Buffer.from('false')],
  [ONE, Buffer.from('true')],
]);

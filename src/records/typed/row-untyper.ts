import { checkboxColumnName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import {
  fromIso,
  fromNumber,
  kindOf,
  numberFormOf,
  type NumberForm,
} from '../../domain/dictionary/typed-values.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { say, type Sentence } from '../../domain/errors/sentences.js';
import type { CallOptions, FieldSource, TypedRow } from '../../gateways/redcap/crf-client.js';

/** A row that REDCap can store: only text. */
export type RawRow = Record<string, string>;

/** A value that cannot be stored in REDCap, and the rule that it breaks. */
export interface Misfitting {
  readonly field: string;
  readonly rule: Sentence;
}

/** Converts typed rows back to REDCap's form, so that an export can be imported. */
export class RowUntyper {
  constructor(private readonly dictionary: DataDictionary) {}

  /** @param onProblem called for each value that cannot be stored in REDCap; it is left out of the row */
  untype(row: Readonly<Record<string, unknown>>, onProblem: (problem: Misfitting) => void): RawRow {
    const raw: RawRow = {};
    for (const [name, value] of Object.entries(row)) {
      const field = this.dictionary.field(name);
      if (field?.type === 'checkbox') this.#checkbox(field, value, raw, onProblem);
      else {
        const text = toText(value, field);
        if (text === undefined) onProblem({ field: name, rule: ruleFor(field) });
        else raw[name] = text;
      }
    }
    return raw;
  }

  #checkbox(field: Field, value: unknown, raw: RawRow, onProblem: (problem: Misfitting) => void): void {
    const choices = this.dictionary.choices(field);
    if (value === null || value === undefined) {
      for (const { code } of choices) raw[checkboxColumnName(field.name, code)] ??= '';
      return;
    }
    const missing = missingCodeOf(value);
    // A list may repeat its codes: a row has room for 200,000 of them.
    const codes = new Set(missing === undefined && Array.isArray(value) ? value.map(codeOf) : []);
    const known = new Set<string | undefined>(choices.map(({ code }) => code));
    const isKnown = [...codes].every((code) => known.has(code));
    if ((missing === undefined && !Array.isArray(value)) || !isKnown) {
      onProblem({ field: field.name, rule: say('code_list') });
      return;
    }
    for (const { code } of choices) {
      // A separate column beside the list takes precedence: it contains a value that the list cannot.
      raw[checkboxColumnName(field.name, code)] ??= codes.has(code) ? '1' : '0';
    }
    if (missing !== undefined) raw[checkboxColumnName(field.name, missing)] = '1';
  }
}

/**
 * Returns typed rows as REDCap can store them.
 *
 * @throws {InvalidRequestError} names each value that does not fit its field
 * @throws {CrfError} errors of `fields.list`
 */
export async function untypeRows(
  source: FieldSource,
  rows: readonly TypedRow[],
  { signal, caller }: CallOptions,
): Promise<RawRow[]> {
  const untyper = new RowUntyper(DataDictionary.of(await source.fields.list({ signal, caller })));
  const problems: FieldProblem[] = [];
  const raw = rows.map((row, index) =>
    untyper.untype(row, ({ field, rule }) => problems.push({ field: `rows[${index}].${field}`, ...rule })),
  );
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return raw;
}

/** @returns undefined if the value cannot be stored in REDCap */
function toText(value: unknown, field: Field | undefined): string | undefined {
  const missing = missingCodeOf(value);
  if (missing !== undefined) return missing;
  switch (typeof value) {
    case 'string': {
      const kind = kindOf(field);
      const isMoment = kind === 'datetime' || kind === 'datetimeSeconds';
      return field !== undefined && isMoment ? fromIso(value) : value;
    }
    case 'number':
      return textOfNumber(value, field);
    case 'boolean':
      return value ? '1' : '0';
    case 'undefined':
      return '';
    default:
      return value === null ? '' : codeOf(value);
  }
}

function textOfNumber(value: number, field: Field | undefined): string | undefined {
  const kind = kindOf(field);
  if (field !== undefined && kind === 'number') return fromNumber(value, kind, numberFormOf(field));
  // A JSON parser changes integers that are too large: they would be stored with wrong digits.
  if (Number.isInteger(value)) return fromNumber(value, 'integer', ANY_FORM);
  return field === undefined || kind === 'integer' ? undefined : fromNumber(value, 'number', ANY_FORM);
}

const ANY_FORM: NumberForm = { places: undefined, separator: '.' };

function ruleFor(field: Field | undefined): Sentence {
  const kind = kindOf(field);
  const places = field === undefined ? undefined : numberFormOf(field).places;
  if (places !== undefined) return say('decimals_at_most', { places });
  return say(kind === 'integer' ? 'whole_number' : 'typed_value');
}

/** Returns the code of `{ "code": "1", "label": "Female" }` or of a plain code. */
function codeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const code = memberOf(value, 'code', CODED);
  return typeof code === 'string' ? code : undefined;
}

function missingCodeOf(value: unknown): string | undefined {
  const code = memberOf(value, 'missing', MISSING);
  return typeof code === 'string' ? code : undefined;
}

/** @returns undefined if the value has any member that is not allowed (IN-04) */
function memberOf(value: unknown, name: string, allowed: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  for (const key of members.keys()) if (!allowed.includes(key)) return undefined;
  return members.get(name);
}

const CODED = ['code', 'label'];
const MISSING = ['missing'];

import { FORM_STATUS_CHOICES, type Choice } from '../choices.js';
import type { DataDictionary } from '../data-dictionary.js';
import type { ExportColumn } from '../export-column.js';
import type { Field } from '../field.js';
import { kindOf } from '../typed-values.js';
import { TEXT_VALIDATIONS } from '../text-validations.js';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns the schema of the text in one column, as imports store it and exports return it. */
export function rawColumnSchema(
  column: ExportColumn,
  dictionary: DataDictionary,
  missing: readonly string[],
): JsonSchema {
  const { field, choice } = column;
  const described = describe(field, choice);
  if (field !== undefined && isLeftOut(field)) return described;
  if (choice !== undefined) return { ...described, enum: ['', '0', '1'] };
  const codes = codesOf(field, dictionary);
  if (codes !== undefined)
    return { ...described, anyOf: [{ enum: ['', ...(field === undefined ? [] : missing)] }, coded(codes)] };
  const texts = textSchemas(field, ' ');
  if (texts.length === 0) return { ...described, type: 'string' };
  return { ...described, anyOf: [{ enum: ['', ...missing] }, { type: 'string', allOf: texts }] };
}

/** Returns the schema of a field's values in typed exports and imports. */
export function typedFieldSchema(
  field: Field | undefined,
  dictionary: DataDictionary,
  missing: readonly string[],
): JsonSchema {
  const described = describe(field, undefined);
  if (field !== undefined && isLeftOut(field)) return described;
  const none: JsonSchema[] = [{ type: 'null' }];
  if (field !== undefined && missing.length > 0) none.push(missingSchema(missing));
  return { ...described, anyOf: [...none, valueSchema(field, dictionary)] };
}

/** Whether an import ignores the field, whatever its value. */
function isLeftOut({ type }: Field): boolean {
  return type === 'calc' || type === 'file';
}

function valueSchema(field: Field | undefined, dictionary: DataDictionary): JsonSchema {
  const kind = kindOf(field);
  switch (kind) {
    case 'integer':
      return { type: 'integer', ...SAFE };
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'code':
      return coded(codesOf(field, dictionary) ?? []);
    case 'checkbox':
      return {
        type: 'array',
        items: coded(field === undefined ? [] : dictionary.choices(field)),
        uniqueItems: true,
      };
    default: {
      const texts = textSchemas(field, 'T');
      return texts.length === 0 ? { type: 'string' } : { type: 'string', allOf: texts };
    }
  }
}

/** @returns undefined if the field has no codes */
function codesOf(field: Field | undefined, dictionary: DataDictionary): readonly Choice[] | undefined {
  if (field === undefined) return FORM_STATUS_CHOICES;
  const isCoded = ['radio', 'dropdown', 'yesno', 'truefalse'].includes(field.type);
  return isCoded ? dictionary.choices(field) : undefined;
}

/** Returns a schema of the codes, with their labels as titles. */
function coded(choices: readonly Choice[]): JsonSchema {
  // A field without choices accepts no code. An empty list would not be a valid `anyOf`.
  if (choices.length === 0) return { not: {} };
  return { anyOf: choices.map(({ code, label }) => ({ const: code, title: label })) };
}

function missingSchema(missing: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: { missing: { enum: missing } },
    required: ['missing'],
    additionalProperties: false,
  };
}

/** Returns the schemas for the form of a text. */
function textSchemas(field: Field | undefined, between: ' ' | 'T'): JsonSchema[] {
  if (field === undefined || (field.type !== 'text' && field.type !== 'slider')) return [];
  const pattern = field.type === 'slider' ? '^-?\\d+$' : patternOfValidation(field.validationType, between);
  return pattern === undefined ? [] : [{ pattern }];
}

/** Beyond these, JSON parsers do not keep all digits. */
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Describes the limits of a field, beyond which REDCap only warns. */
function limitsOf({ type, validationMin, validationMax }: Field): string {
  const isSlider = type === 'slider';
  if (type !== 'text' && !isSlider) return '';
  const [from, to] = [validationMin || (isSlider ? '0' : ''), validationMax || (isSlider ? '100' : '')];
  if (from === '' && to === '') return '';
  if (to === '') return `expected: at least ${from}`;
  return from === '' ? `expected: at most ${to}` : `expected: ${from} to ${to}`;
}

function describe(field: Field | undefined, choice: Choice | undefined): JsonSchema {
  if (field === undefined) return { description: 'Form status' };
  const parts = [field.label, choice?.label ?? '', field.note, limitsOf(field)].filter((part) => part !== '');
  return parts.length === 0 ? {} : { description: parts.join('; ') };
}

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

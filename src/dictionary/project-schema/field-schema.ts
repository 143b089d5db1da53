import { FORM_STATUS_CHOICES, type Choice } from '../choices.js';
import type { DataDictionary } from '../data-dictionary.js';
import type { ExportColumn } from '../export-column.js';
import type { Field } from '../field.js';
import { TEXT_VALIDATIONS } from '../text-validations.js';
import { kindOf, type ValueKind } from '../typed-values.js';
import { patternOfOrder, patternOfRange, patternOfValidation } from './text-patterns.js';

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
  if (codes !== undefined) {
    return { ...described, anyOf: [{ enum: ['', ...(field === undefined ? [] : missing)] }, coded(codes)] };
  }
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
      return { type: 'integer', ...limits(field, kind) };
    case 'number':
      return { type: 'number', ...limits(field, kind) };
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

/** Returns the schemas for the form of a text and, for dates and times, its limits. */
function textSchemas(field: Field | undefined, between: ' ' | 'T'): JsonSchema[] {
  if (field === undefined || (field.type !== 'text' && field.type !== 'slider')) return [];
  const validation = field.type === 'slider' ? 'slider' : field.validationType;
  const pattern = validation === 'slider' ? '^-?\\d+$' : patternOfValidation(validation, between);
  if (pattern === undefined) return [];
  const order = TEXT_VALIDATIONS.get(validation)?.order;
  if (validation === 'slider' || validation === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = limitsOf(field);
    const range = patternOfRange(minimum, maximum, validation === 'integer');
    return range === undefined ? [{ pattern }] : [{ pattern: range }];
  }
  if (order !== 'text') return [{ pattern }];
  const known = TEXT_VALIDATIONS.get(validation)?.pattern;
  const inForm = (limit: string): string | undefined =>
    known?.test(limit) ? limit.replace(' ', between) : undefined;
  const [from, to] = [inForm(field.validationMin), inForm(field.validationMax)];
  return [
    { pattern },
    ...(from === undefined ? [] : [{ pattern: patternOfOrder(from, 'from') }]),
    ...(to === undefined ? [] : [{ pattern: patternOfOrder(to, 'to') }]),
  ];
}

/**
 * Returns the limits of a number as written by the designer. JSON Schema cannot express others, such as `today` or a
 * piped field.
 */
function limits(field: Field | undefined, kind: ValueKind): JsonSchema {
  if (field === undefined) return {};
  const { minimum, maximum } = limitsOf(field);
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    // Beyond these, JSON parsers do not keep all digits.
    ...(kind === 'integer' && minimum === undefined && { minimum: Number.MIN_SAFE_INTEGER }),
    ...(kind === 'integer' && maximum === undefined && { maximum: Number.MAX_SAFE_INTEGER }),
  };
}

function limitsOf({ type, validationMin, validationMax }: Field): {
  minimum: number | undefined;
  maximum: number | undefined;
} {
  const isSlider = type === 'slider';
  return {
    minimum: numberOf(validationMin || (isSlider ? '0' : '')),
    maximum: numberOf(validationMax || (isSlider ? '100' : '')),
  };
}

function numberOf(text: string): number | undefined {
  return /^[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

function describe(field: Field | undefined, choice: Choice | undefined): JsonSchema {
  if (field === undefined) return { description: 'Form status' };
  const parts = [field.label, choice?.label ?? '', field.note].filter((part) => part !== '');
  return parts.length === 0 ? {} : { description: parts.join('; ') };
}

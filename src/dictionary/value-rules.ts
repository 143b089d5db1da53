import { FORM_STATUS_CHOICES, type Choice } from './choices.js';
import type { ExportColumn } from './export-column.js';
import type { Field } from './field.js';
import { isRealDate, TEXT_VALIDATIONS, type TextValidation } from './text-validations.js';

/** What the values of one column are held against: made once, used for every record. */
export interface ValueRule {
  /** @returns the rule that is broken, without the value */
  readonly validate: (value: string) => string | undefined;
  /** @returns the soft limit that is crossed, without the value */
  readonly validateRange: (value: string) => string | undefined;
}

const ANYTHING = (): undefined => undefined;

/** @returns the rule of a column. An unknown type, or a validation that a site has made itself, accepts anything. */
export function compileValueRule(column: ExportColumn, choices: readonly Choice[]): ValueRule {
  const { field } = column;
  if (field === undefined) return { validate: anyOf(FORM_STATUS_CHOICES), validateRange: ANYTHING };
  switch (field.type) {
    case 'checkbox':
      return { validate: checkbox, validateRange: ANYTHING };
    case 'radio':
    case 'dropdown':
    case 'yesno':
    case 'truefalse':
      return { validate: anyOf(choices), validateRange: ANYTHING };
    case 'slider':
      return { validate: sliderValue, validateRange: rangeOf(field, 'number') };
    case 'text':
      return textRule(field);
    default:
      return { validate: ANYTHING, validateRange: ANYTHING };
  }
}

function anyOf(choices: readonly Choice[]): ValueRule['validate'] {
  const codes = new Set(choices.map(({ code }) => code));
  return (value) => (codes.has(value) ? undefined : 'must be one of the codes of the field');
}

function checkbox(value: string): string | undefined {
  return value === '0' || value === '1' ? undefined : 'must be 0 or 1';
}

function sliderValue(value: string): string | undefined {
  return /^-?\d+$/.test(value) ? undefined : 'must be a whole number';
}

function textRule(field: Field): ValueRule {
  const validation = TEXT_VALIDATIONS.get(field.validationType);
  if (validation === undefined) return { validate: ANYTHING, validateRange: ANYTHING };
  return { validate: matching(validation), validateRange: rangeOf(field, validation.order) };
}

function matching({ pattern, rule, isDate = false }: TextValidation): ValueRule['validate'] {
  return (value) => (pattern.test(value) && (!isDate || isRealDate(value)) ? undefined : rule);
}

/** Limits that are literals; `today`, `now` and piped fields are left to REDCap. */
function rangeOf(field: Field, order: TextValidation['order']): ValueRule['validateRange'] {
  if (order === undefined) return ANYTHING;
  const [minimum, maximum] = [toLimit(field.validationMin, order), toLimit(field.validationMax, order)];
  if (minimum === undefined && maximum === undefined) return ANYTHING;
  return (value) => {
    const comparable = order === 'number' ? toNumber(value) : value;
    if (minimum !== undefined && comparable < minimum) return 'must not be below the minimum of the field';
    if (maximum !== undefined && comparable > maximum) return 'must not be above the maximum of the field';
    return undefined;
  };
}

function toLimit(text: string, order: 'number' | 'text'): number | string | undefined {
  if (text === '' || !/^[-+\d.,]/.test(text)) return undefined;
  if (order === 'text') return text;
  const limit = toNumber(text);
  return Number.isNaN(limit) ? undefined : limit;
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

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
      return sliderRule(field);
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

/** @see protocol reference 8.2: 0 to 100 where the designer says nothing */
function sliderRule({ validationMin, validationMax }: Field): ValueRule {
  return ruleOf(SLIDER, { minimum: validationMin || '0', maximum: validationMax || '100' });
}

function textRule({ validationType, validationMin, validationMax }: Field): ValueRule {
  const validation = TEXT_VALIDATIONS.get(validationType);
  if (validation === undefined) return { validate: ANYTHING, validateRange: ANYTHING };
  return ruleOf(validation, { minimum: validationMin, maximum: validationMax });
}

/** Limits as the designer wrote them; empty for none. */
interface Limits {
  readonly minimum: string;
  readonly maximum: string;
}

function ruleOf(validation: TextValidation, limits: Limits): ValueRule {
  const { pattern, rule, isDate = false } = validation;
  return {
    validate: (value) => (pattern.test(value) && (!isDate || isRealDate(value)) ? undefined : rule),
    validateRange: rangeOf(validation, limits),
  };
}

function rangeOf(validation: TextValidation, limits: Limits): ValueRule['validateRange'] {
  const [minimum, maximum] = [toLimit(limits.minimum, validation), toLimit(limits.maximum, validation)];
  if (minimum === undefined && maximum === undefined) return ANYTHING;
  return (value) => {
    const comparable = validation.order === 'number' ? toNumber(value) : value;
    if (minimum !== undefined && comparable < minimum) return 'must not be below the minimum of the field';
    if (maximum !== undefined && comparable > maximum) return 'must not be above the maximum of the field';
    return undefined;
  };
}

/** A literal in the form in which values are stored; `today`, a piped field or `01/31/2026` are left to REDCap. */
function toLimit(text: string, { order, pattern }: TextValidation): number | string | undefined {
  switch (order) {
    case 'number':
      return PLAIN_NUMBER.test(text) || pattern.test(text) ? toNumber(text) : undefined;
    case 'text':
      return pattern.test(text) ? text : undefined;
    default:
      return undefined;
  }
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

const SLIDER: TextValidation = { pattern: /^-?\d+$/, rule: 'must be a whole number', order: 'number' };
/** What a limit may be though no value may, as `0` where values have one decimal; in `1,000` the comma is none of a decimal. */
const PLAIN_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

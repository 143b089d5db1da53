import { say, type Sentence } from '../errors/sentences.js';
import { CHECKED_CHOICES, FORM_STATUS_CHOICES, type Choice } from './choices.js';
import { DATE_ORDERS, toStoredDate } from './date-orders.js';
import type { ExportColumn } from './export-column.js';
import type { Field } from './field.js';
import { isShortenedBy, valuesOf } from './spreadsheet-damage.js';
import { isValidText, TEXT_VALIDATIONS, type TextValidation } from './text-validations.js';
import { withoutTags } from './without-tags.js';

/** The rules for the values of one column, compiled once and used for every record. */
export interface ValueRule {
  /** @returns the broken rule, without the value */
  readonly validate: (value: string) => Sentence | undefined;
  /** @returns the exceeded soft limit, without the value */
  readonly validateRange: (value: string) => Sentence | undefined;
  /** Says which limits are not evaluated, such as `today` or another field. Undefined if all are. */
  readonly unevaluated?: Sentence | undefined;
  /**
   * @returns the choice that was probably meant: the one with this label, in any case, or whose code is the same number,
   *   as `01` for `1` or `1` for `1.0`; undefined if there is none, or more than one
   */
  readonly suggest?: (value: string) => Choice | undefined;
}

const ANYTHING = (): undefined => undefined;

/** The rule of a column that accepts any text. */
export const ANY_TEXT: ValueRule = { validate: ANYTHING, validateRange: ANYTHING };

/** @returns the rule of a column. An unknown type, or a validation that a site has added, accepts anything. */
export function compileValueRule(column: ExportColumn, choices: readonly Choice[]): ValueRule {
  const { field } = column;
  if (field === undefined) return choiceRule(FORM_STATUS_CHOICES);
  switch (field.type) {
    case 'checkbox':
      return { validate: checkbox, validateRange: ANYTHING, suggest: meant(CHECKED_CHOICES, true) };
    case 'radio':
    case 'dropdown':
      return choiceRule(choices);
    case 'yesno':
    case 'truefalse':
      return choiceRule(choices, true);
    case 'slider':
      return sliderRule(field);
    case 'text':
      return textRule(field);
    default:
      return ANY_TEXT;
  }
}

function choiceRule(choices: readonly Choice[], isTruth = false): ValueRule {
  const codes = new Set(choices.map(({ code }) => code));
  let rule: Sentence | undefined;
  return {
    validate: (value) => (codes.has(value) ? undefined : (rule ??= oneOf(choices))),
    validateRange: ANYTHING,
    suggest: meant(choices, isTruth),
  };
}

/** Names the choices as `1 (Female), 2 (Male)`. Long lists are truncated. */
export function oneOf(choices: readonly Choice[]): Sentence {
  if (choices.length === 0) return say('no_choices');
  const more = Math.max(0, choices.length - MAX_CHOICES_SHOWN);
  return say('one_of', { choices: choices.slice(0, MAX_CHOICES_SHOWN).map(describeChoice), more });
}

/** Returns `2 (Female)`: a code with its label as plain text on one line, truncated if it is long. */
export function describeChoice({ code, label }: Choice): string {
  const text = withoutTags(label);
  if (text === '' || text === code) return code;
  return `${code} (${text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH - 1).trimEnd()}…` : text})`;
}

/** @param isTruth whether the codes are 1 and 0, for which spreadsheets write words of their language */
function meant(choices: readonly Choice[], isTruth: boolean): (value: string) => Choice | undefined {
  // Lists of diagnoses have tens of thousands of choices, and a file may have as many wrong values.
  let index: ReturnType<typeof indexOf> | undefined;
  return (value) => {
    const wanted = value.trim().toLowerCase();
    const code = isTruth ? TRUTH.get(wanted) : undefined;
    if (code !== undefined) return choices.find(({ code: own }) => own === code);
    index ??= indexOf(choices);
    const named = index.named.get(wanted);
    if (named !== undefined) return named;
    const alike = new Set(valuesOf(value.trim()).flatMap((number) => index?.numbers.get(number) ?? []));
    for (const choice of index.long) if (isShortenedBy(choice.code, value.trim())) alike.add(choice);
    return alike.size === 1 ? [...alike][0] : undefined;
  };
}

/** Returns the choices by their labels, of which the first counts, and by the numbers that their codes are. */
function indexOf(choices: readonly Choice[]): {
  readonly named: ReadonlyMap<string, Choice>;
  readonly numbers: ReadonlyMap<string, readonly Choice[]>;
  readonly long: readonly Choice[];
} {
  const numbers = new Map<string, Choice[]>();
  for (const choice of choices)
    for (const number of valuesOf(choice.code)) {
      const known = numbers.get(number);
      if (known === undefined) numbers.set(number, [choice]);
      else known.push(choice);
    }
  return {
    named: new Map(choices.toReversed().map((choice) => [choice.label.trim().toLowerCase(), choice])),
    numbers,
    long: choices.filter(({ code }) => code.length > 15),
  };
}

const TRUTH: ReadonlyMap<string, string> = new Map([
  ...['true', 'wahr', 'vrai', 'vero', 'verdadero', 'verdadeiro', 'waar'].map((word) => [word, '1'] as const),
  ...['false', 'falsch', 'faux', 'falso', 'onwaar'].map((word) => [word, '0'] as const),
]);

function checkbox(value: string): Sentence | undefined {
  return value === '0' || value === '1' ? undefined : ZERO_OR_ONE;
}

const ZERO_OR_ONE = say('zero_or_one');

/** The default limits are 0 and 100. @see docs/protocol/redcap.md 8.2 */
function sliderRule({ validationMin, validationMax }: Field): ValueRule {
  return ruleOf(SLIDER, { minimum: validationMin || '0', maximum: validationMax || '100' });
}

function textRule({ validationType, validationMin, validationMax }: Field): ValueRule {
  const validation = TEXT_VALIDATIONS.get(validationType);
  if (validation === undefined) return ANY_TEXT;
  const order = DATE_ORDERS.find((known) => validationType.endsWith(known.toLowerCase())) ?? 'YMD';
  const limit = (text: string): string =>
    // A designer writes a limit in the order of the field, or as REDCap stores it, perhaps with slashes.
    validation.isDate === true ? toStoredDate(toStoredDate(text.trim(), 'YMD'), order) : text.trim();
  return ruleOf(validation, { minimum: limit(validationMin), maximum: limit(validationMax) });
}

/** Limits as written by the designer; empty for none. */
interface Limits {
  readonly minimum: string;
  readonly maximum: string;
}

function ruleOf(validation: TextValidation, limits: Limits): ValueRule {
  const validate: ValueRule['validate'] = (value) =>
    isValidText(value, validation) ? undefined : validation.rule;
  // The order of addresses and the like has no meaning, so that nobody expects their limits to be kept.
  if (validation.order === undefined) return { validate, validateRange: ANYTHING };
  const given = [limits.minimum, limits.maximum].filter((text) => text !== '');
  const unknown = given.filter((text) => toLimit(text, validation) === undefined);
  return {
    validate,
    validateRange: rangeOf(validation, limits),
    ...(unknown.length > 0 && { unevaluated: say('limit_not_evaluated', { limits: unknown }) }),
  };
}

function rangeOf(
  validation: TextValidation,
  { minimum: least, maximum: most }: Limits,
): ValueRule['validateRange'] {
  const [minimum, maximum] = [toLimit(least, validation), toLimit(most, validation)];
  if (minimum === undefined && maximum === undefined) return ANYTHING;
  const rule = describeRange(minimum === undefined ? '' : least, maximum === undefined ? '' : most);
  return (value) => {
    const comparable = validation.order === 'number' ? toNumber(value) : value;
    const isBelow = minimum !== undefined && comparable < minimum;
    return isBelow || (maximum !== undefined && comparable > maximum) ? rule : undefined;
  };
}

function describeRange(minimum: string, maximum: string): Sentence {
  if (maximum === '') return say('at_least', { minimum });
  return minimum === '' ? say('at_most', { maximum }) : say('from_to', { minimum, maximum });
}

/** Returns a limit that is a literal. Others, such as `today` or a piped field, are left to REDCap. */
function toLimit(text: string, validation: TextValidation): number | string | undefined {
  if (validation.order === 'text') return isValidText(text, validation) ? text : undefined;
  return PLAIN_NUMBER.test(text) || validation.pattern.test(text) ? toNumber(text) : undefined;
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

const SLIDER: TextValidation = { pattern: /^-?\d+$/, rule: say('whole_number'), order: 'number' };
/**
 * A limit may have this form even if values may not, such as `0` where values have one decimal. The comma of `1,000` is
 * not a decimal comma.
 */
const PLAIN_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

const MAX_CHOICES_SHOWN = 8;
const MAX_LABEL_LENGTH = 40;

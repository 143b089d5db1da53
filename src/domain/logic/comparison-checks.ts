import { say, type Sentence } from '../errors/sentences.js';
import { FORM_STATUS_CHOICES } from '../dictionary/choices.js';
import type { DataDictionary } from '../dictionary/data-dictionary.js';
import type { Field } from '../dictionary/field.js';
import { TEXT_VALIDATIONS } from '../dictionary/text-validations.js';
import type { LogicProblem } from './logic-problem.js';
import {
  isComparison,
  type Chain,
  type ComparisonOperator,
  type LogicNode,
  type Reference,
} from './syntax.js';
import { compareValues, isNumeric, numberOf, type LogicValue } from './values.js';

/** What comparisons are checked against. */
interface ComparedProject {
  readonly dictionary: DataDictionary;
  readonly missingDataCodes?: readonly string[] | undefined;
}

/** Returns why a field can never satisfy its comparison with a fixed value; undefined if it can. */
export function problemOfComparison(
  { first, rest }: Chain,
  project: ComparedProject,
): LogicProblem | undefined {
  const [link, ...more] = rest;
  if (link === undefined || more.length > 0 || !isComparison(link.operator)) return undefined;
  const { operator, operand } = link;
  const [left, right] = [fixedValue(first), fixedValue(operand)];
  if (first.kind === 'reference' && right !== undefined)
    return problemOf({ reference: first, operator, value: right, literal: operand }, project);
  if (operand.kind !== 'reference' || left === undefined) return undefined;
  return problemOf(
    { reference: operand, operator: MIRRORED[operator], value: left, literal: first },
    project,
  );
}

interface Comparison {
  readonly reference: Reference;
  readonly operator: ComparisonOperator;
  readonly value: LogicValue;
  readonly literal: LogicNode;
}

/** Operators with their sides swapped: `5 < [age]` is `[age] > 5`. */
const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function fixedValue(node: LogicNode): LogicValue | undefined {
  switch (node.kind) {
    case 'number':
      return Number(node.text);
    case 'text':
      return node.value;
    case 'boolean':
      return node.value ? 1 : 0;
    case 'sign': {
      const value = fixedValue(node.operand);
      if (value === undefined || !isNumeric(value)) return undefined;
      return node.sign === '-' ? -numberOf(value) : numberOf(value);
    }
    default:
      return undefined;
  }
}

function problemOf(comparison: Comparison, project: ComparedProject): LogicProblem | undefined {
  const { dictionary, missingDataCodes = [] } = project;
  const { reference, value, literal } = comparison;
  if (value === '' || missingDataCodes.includes(`${value}`)) return undefined;
  const column = columnOf(reference, dictionary);
  if (column === undefined) return undefined;
  const codes = codesOf(reference, column, dictionary);
  const sentence = codes
    ? problemOfCode(comparison, codes, missingDataCodes)
    : column !== 'form status' && problemOfValue(comparison, column);
  return sentence ? { at: literal.start + 1, ...sentence } : undefined;
}

/** @returns the field that a reference names, or its form status; undefined if the project has neither */
function columnOf({ field }: Reference, dictionary: DataDictionary): Field | 'form status' | undefined {
  const name = field.toLowerCase();
  const known = dictionary.field(name);
  if (known !== undefined) return known;
  const column = dictionary.column(name);
  return column !== undefined && column.field === undefined ? 'form status' : undefined;
}

/** @returns undefined if the field is not coded */
function codesOf(
  { code }: Reference,
  column: Field | 'form status',
  dictionary: DataDictionary,
): readonly string[] | undefined {
  if (column === 'form status') return FORM_STATUS_CHOICES.map((choice) => choice.code);
  switch (column.type) {
    case 'radio':
    case 'dropdown':
    case 'yesno':
    case 'truefalse': {
      const codes = dictionary.choices(column).map((choice) => choice.code);
      return codes.length === 0 ? undefined : codes;
    }
    case 'checkbox':
      return code === undefined ? undefined : ['0', '1'];
    default:
      return undefined;
  }
}

function problemOfCode(
  { operator, value, reference }: Comparison,
  codes: readonly string[],
  missingDataCodes: readonly string[],
): Sentence | undefined {
  const name = reference.field.toLowerCase();
  const isEquality = operator === '=' || operator === '<>';
  const compared = isEquality ? '=' : operator;
  // As text, a missing data code of letters is greater than every number, but such a match is never intended.
  const numbers = missingDataCodes.filter((code) => isNumeric(code));
  if ([...codes, ...numbers].some((code) => compareValues(compared, code, value))) return undefined;
  const more = Math.max(0, codes.length - MAX_CODES_SHOWN);
  const given = { name, codes: codes.slice(0, MAX_CODES_SHOWN), more };
  return say(isEquality ? 'logic_code' : 'logic_never_code', given);
}

const MAX_CODES_SHOWN = 8;

/** Checks a field of numbers, dates or times against a text of another form. */
function problemOfValue({ operator, value, reference }: Comparison, field: Field): Sentence | undefined {
  const validation =
    field.type === 'slider' ? TEXT_VALIDATIONS.get('integer') : TEXT_VALIDATIONS.get(field.validationType);
  if (validation?.order === undefined || (field.type !== 'text' && field.type !== 'slider')) return undefined;
  const name = reference.field.toLowerCase();
  const { rule } = validation;
  if (validation.order === 'number') {
    if (isNumeric(value)) {
      const isWhole = field.type === 'slider' || field.validationType === 'integer';
      const never = operator === '=' && isWhole && !Number.isInteger(numberOf(value));
      return never ? say('logic_never', { name, rule: say('whole_number') }) : undefined;
    }
    // Text that sorts after the digits is greater than every number as text.
    const never =
      operator === '=' || ((operator === '>' || operator === '>=') && /^[^\u0000-9]/.test(`${value}`));
    return never ? say('logic_never_text', { name, rule }) : undefined;
  }
  if (validation.pattern.test(`${value}`) || value === 'today' || value === 'now') return undefined;
  return operator === '=' ? say('logic_never', { name, rule }) : undefined;
}

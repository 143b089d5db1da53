import { FORM_STATUS_CHOICES, type Choice } from '../choices.js';
import type { DataDictionary } from '../data-dictionary.js';
import { checkboxColumnName } from '../export-column.js';
import type { Field } from '../field.js';
import { kindOf, type ValueKind } from '../typed-values.js';
import { docComment, literalOf, propertyOf } from './type-text.js';

const BY_KIND: Readonly<Record<Exclude<ValueKind, 'code' | 'checkbox'>, string>> = {
  integer: 'IntegerField',
  number: 'NumberField',
  boolean: 'BooleanField',
  date: 'DateField',
  datetime: 'DateTimeField',
  datetimeSeconds: 'DateTimeField',
  time: 'TimeField',
  timeSeconds: 'TimeField',
  text: 'TextField',
};

/**
 * @returns the type of a field, such as `crf.IntegerField` or a union of its codes; undefined for a field without
 *   values
 */
export function typeOfField(field: Field, dictionary: DataDictionary): string | undefined {
  if (field.type === 'descriptive') return undefined;
  if (field.name === dictionary.recordIdField?.name) return 'crf.RecordIdField';
  if (field.type === 'calc')
    return kindOf(field) === 'number' ? 'crf.CalculatedNumberField' : 'crf.CalculatedTextField';
  if (field.type === 'file') return 'crf.FileField';
  const kind = kindOf(field);
  const choices = dictionary.choices(field);
  if (kind === 'checkbox') return checkboxType(field, choices);
  if (kind === 'code') return choices.length === 0 ? 'crf.TextField' : choiceType(choices);
  return `crf.${BY_KIND[kind]}`;
}

export const FORM_STATUS_TYPE = choiceType(FORM_STATUS_CHOICES);

/** Returns a union of the codes, with the labels as comments. */
function choiceType(choices: readonly Choice[]): string {
  const members = unique(choices, ({ code }) => code).map(
    ({ code, label }) => `    ${comment(label, code)}| ${literalOf(code)}`,
  );
  return `crf.ChoiceField<\n${members.join('\n')}\n  >`;
}

/** Returns the export columns of a checkbox field, each with the code of its choice. */
function checkboxType(field: Field, choices: readonly Choice[]): string {
  const columnOf = ({ code }: Choice): string => checkboxColumnName(field.name, code);
  const members = unique(choices, columnOf).map((choice) => {
    const { code, label } = choice;
    return `    ${comment(label, code)}${propertyOf(columnOf(choice))}: ${literalOf(code)};`;
  });
  return members.length === 0
    ? 'crf.CheckboxField<Record<never, never>>'
    : `crf.CheckboxField<{\n${members.join('\n')}\n  }>`;
}

function comment(label: string, code: string): string {
  const text = docComment(label);
  return text === '' || text === docComment(code) ? '' : `${text} `;
}

/** Returns the choices without those that have the same name as an earlier one. */
function unique(choices: readonly Choice[], nameOf: (choice: Choice) => string): readonly Choice[] {
  const seen = new Set<string>();
  return choices.filter((choice) => {
    const name = nameOf(choice);
    return !seen.has(name) && seen.add(name);
  });
}

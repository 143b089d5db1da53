import { formStatusName, groupBy, checkboxColumnName } from '../export-column.js';
import type { Field } from '../field.js';
import type { ProjectStructure } from '../project-structure.js';
import { docComment, literalOf, plainComment, propertyOf, TypeNames } from './type-text.js';
import { FORM_STATUS_CHOICES, type Choice } from '../choices.js';
import type { DataDictionary } from '../data-dictionary.js';
import { kindOf, type ValueKind } from '../typed-values.js';

/** How the first comment of a written file begins. */
export const MADE_BY_CRF_TYPES = 'Made by `crf types`';

/**
 * Writes the TypeScript types of a project: one interface per instrument, and `Project`, which combines them and is the
 * type argument of `createCrfClient<Project>(…)`. Texts of labels only appear in comments, where they can do no harm.
 *
 * @param title of the project, for the first comment
 */
export function writeProjectTypes(structure: ProjectStructure, title: string): string {
  const names = new TypeNames(RESERVED);
  const { instruments } = structure.dictionary;
  const interfaces = new Map(instruments.map((instrument) => [instrument, names.nameOf(instrument)]));
  const byInstrument = groupBy(structure.dictionary.fields, ({ instrument }) => instrument);
  return [
    plainComment(
      `${MADE_BY_CRF_TYPES} for the project '${title}'.`,
      'Do not edit it: run `crf types` again.',
    ),
    `import type * as crf from 'crf-service/client';`,
    ...[...interfaces].map(([instrument, name]) =>
      writeInstrument(instrument, name, byInstrument.get(instrument) ?? [], structure),
    ),
    `/** Every field of the project. */\nexport interface Fields extends ${[...interfaces.values()].join(', ') || 'Record<never, never>'} {}`,
    `/** The instruments, by unique name. */\nexport interface Instruments {\n${[...interfaces].map(([instrument, name]) => `  ${propertyOf(instrument)}: ${name};`).join('\n')}\n}`,
    writeEvents(structure),
    writeProject(structure),
    '',
  ].join('\n\n');
}

/** Whether a written file, formatted or not, is as it would be written now. */
export function isUpToDate(written: string, current: string): boolean {
  return withoutFormatting(written) === withoutFormatting(current);
}

/** Removes blanks, and signs that a formatter may add, remove or replace. */
function withoutFormatting(text: string): string {
  return text.replace(/[\s'"|;,\\]+/g, '');
}

const RESERVED = ['Fields', 'Instruments', 'Events', 'Project', 'Record'];

function writeInstrument(
  instrument: string,
  name: string,
  fields: readonly Field[],
  { dictionary }: ProjectStructure,
): string {
  const members = fields.flatMap((field) => {
    const type = typeOfField(field, dictionary);
    return type === undefined ? [] : [`${documentation(field)}  ${propertyOf(field.name)}: ${type};`];
  });
  const status = `  ${propertyOf(formStatusName(instrument))}: ${FORM_STATUS_TYPE};`;
  return `${docComment(`The instrument \`${instrument}\`.`)}\nexport interface ${name} {\n${[...members, status].join('\n')}\n}`;
}

function documentation({ label, note, validationMin, validationMax, isRequired }: Field): string {
  const range = [
    validationMin === '' ? '' : `from ${validationMin}`,
    validationMax === '' ? '' : `to ${validationMax}`,
  ].filter((part) => part !== '');
  const comment = docComment(label, note, range.join(' '), isRequired ? 'required' : '');
  return comment === '' ? '' : `  ${comment}\n`;
}

/** Writes the instruments of each event; nothing in a classic project. */
function writeEvents(structure: ProjectStructure): string {
  const members = structure.events.map(
    ({ uniqueName, label }) =>
      `  ${docComment(label)}\n  ${propertyOf(uniqueName)}: ${unionOf(structure.instrumentsAt(uniqueName))};`,
  );
  return `/** The instruments of each event. */\nexport interface Events {\n${members.join('\n')}\n}`;
}

function writeProject(structure: ProjectStructure): string {
  const { dictionary, missingDataCodes } = structure;
  const repeating = dictionary.instruments.filter((instrument) => structure.repeats(instrument));
  return [
    '/** The project: `createCrfClient<Project>(…)` knows it. */',
    'export interface Project {',
    `  recordId: ${literalOf(dictionary.recordIdField?.name ?? '')};`,
    '  fields: Fields;',
    '  instruments: Instruments;',
    '  events: Events;',
    `  /** Instruments that repeat, by themselves or with their event. */\n  repeating: ${unionOf(repeating)};`,
    `  missing: ${unionOf([...missingDataCodes])};`,
    '}',
  ].join('\n');
}

function unionOf(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map(literalOf).join(' | ');
}

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

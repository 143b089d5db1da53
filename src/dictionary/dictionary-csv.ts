import { parse } from 'csv-parse/sync';
import { InvalidRequestError } from '../errors/invalid-request-error.js';
import { csvProblem } from './csv-problem.js';
import type { Field } from './field.js';

/** One column of a data dictionary: REDCap's API name, and the heading in a file from its web page. */
interface DictionaryColumn {
  readonly api: string;
  readonly heading: string;
}

/** @see protocol reference 8.1 (wire): eighteen columns, in this order */
const COLUMNS: readonly DictionaryColumn[] = [
  { api: 'field_name', heading: 'Variable / Field Name' },
  { api: 'form_name', heading: 'Form Name' },
  { api: 'section_header', heading: 'Section Header' },
  { api: 'field_type', heading: 'Field Type' },
  { api: 'field_label', heading: 'Field Label' },
  { api: 'select_choices_or_calculations', heading: 'Choices, Calculations, OR Slider Labels' },
  { api: 'field_note', heading: 'Field Note' },
  {
    api: 'text_validation_type_or_show_slider_number',
    heading: 'Text Validation Type OR Show Slider Number',
  },
  { api: 'text_validation_min', heading: 'Text Validation Min' },
  { api: 'text_validation_max', heading: 'Text Validation Max' },
  { api: 'identifier', heading: 'Identifier?' },
  { api: 'branching_logic', heading: 'Branching Logic (Show field only if...)' },
  { api: 'required_field', heading: 'Required Field?' },
  { api: 'custom_alignment', heading: 'Custom Alignment' },
  { api: 'question_number', heading: 'Question Number (surveys only)' },
  { api: 'matrix_group_name', heading: 'Matrix Group Name' },
  { api: 'matrix_ranking', heading: 'Matrix Ranking?' },
  { api: 'field_annotation', heading: 'Field Annotation' },
];

/** The API names of the columns, in order. */
export const DICTIONARY_COLUMNS: readonly string[] = COLUMNS.map(({ api }) => api);

const API_NAMES: ReadonlyMap<string, string> = new Map(
  COLUMNS.flatMap(({ api, heading }) => [
    [api, api],
    [heading.toLowerCase(), api],
  ]),
);

/**
 * Reads a data dictionary from CSV: an export of the API, or a file of the web page with its own headings and a byte
 * order mark.
 *
 * @throws {InvalidRequestError} naming the line and the rule, never a value
 */
export function parseDictionaryCsv(text: string): Field[] {
  const rows = parseRows(text);
  const fields = rows.map(toField);
  const problems = [...rows.flatMap((row, index) => problemsOf(row, index + 2)), ...repeatedNames(fields)];
  if (fields.length === 0) problems.push({ field: 'dictionary', message: 'has no field' });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return fields;
}

/** The eighteen columns of a field, as REDCap's API gives them: all strings, empty when unset. */
export function toDictionaryRow(field: Field): Record<string, string> {
  return {
    field_name: field.name,
    form_name: field.instrument,
    section_header: field.sectionHeader,
    field_type: field.type,
    field_label: field.label,
    select_choices_or_calculations: field.choicesOrCalculations,
    field_note: field.note,
    text_validation_type_or_show_slider_number: field.validationType,
    text_validation_min: field.validationMin,
    text_validation_max: field.validationMax,
    identifier: toFlag(field.isIdentifier),
    branching_logic: field.branchingLogic,
    required_field: toFlag(field.isRequired),
    custom_alignment: field.alignment,
    question_number: field.questionNumber,
    matrix_group_name: field.matrixGroup,
    matrix_ranking: toFlag(field.isMatrixRanking),
    field_annotation: field.annotation,
  };
}

type Row = Readonly<Record<string, string>>;

function parseRows(text: string): Row[] {
  try {
    return parse(text, {
      bom: true,
      skip_empty_lines: true,
      columns: (header: string[]) =>
        header.map((name) => API_NAMES.get(name.trim().toLowerCase()) ?? API_NAMES.get(name.trim()) ?? name),
    });
  } catch (cause) {
    throw new InvalidRequestError([csvProblem('dictionary', cause)], { cause });
  }
}

function toField(row: Row): Field {
  const text = (name: string): string => row[name]?.trim() ?? '';
  return {
    name: text('field_name'),
    instrument: text('form_name'),
    sectionHeader: text('section_header'),
    type: text('field_type'),
    label: text('field_label'),
    choicesOrCalculations: text('select_choices_or_calculations'),
    note: text('field_note'),
    validationType: text('text_validation_type_or_show_slider_number'),
    validationMin: text('text_validation_min'),
    validationMax: text('text_validation_max'),
    isIdentifier: isFlag(text('identifier')),
    branchingLogic: text('branching_logic'),
    isRequired: isFlag(text('required_field')),
    alignment: text('custom_alignment'),
    questionNumber: text('question_number'),
    matrixGroup: text('matrix_group_name'),
    isMatrixRanking: isFlag(text('matrix_ranking')),
    annotation: text('field_annotation'),
  };
}

function problemsOf(row: Row, line: number): { field: string; message: string }[] {
  const rules: readonly [string, RegExp, string][] = [
    ['field_name', /^[a-z][a-z0-9_]*$/, 'must be a field name'],
    ['form_name', /^[a-z][a-z0-9_]*$/, 'must be the unique name of an instrument'],
    ['field_type', /^[a-z]+$/, 'must be a field type'],
  ];
  return rules
    .filter(([name, pattern]) => !pattern.test(row[name]?.trim() ?? ''))
    .map(([name, , message]) => ({ field: `dictionary line ${line}, ${name}`, message }));
}

/** A field name stands once. @see protocol reference 2.4 (issue) */
function repeatedNames(fields: readonly Field[]): { field: string; message: string }[] {
  const lines = new Map<string, number>();
  return fields.flatMap(({ name }, index) => {
    const first = lines.get(name);
    if (first === undefined) lines.set(name, index + 2);
    if (first === undefined || name === '') return [];
    return [
      { field: `dictionary line ${index + 2}, field_name`, message: `must not repeat that of line ${first}` },
    ];
  });
}

function isFlag(text: string): boolean {
  return text.toLowerCase() === 'y' || text === '1';
}

function toFlag(value: boolean): string {
  return value ? 'y' : '';
}

import { CsvError, parse } from 'csv-parse/sync';
import type { FieldProblem } from '../errors/field-problem.js';
import { InvalidRequestError } from '../errors/invalid-request-error.js';
import { isFieldName } from '../identifiers/field-name.js';
import { isInstrumentName } from '../identifiers/instrument-name.js';
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
 * order mark. Columns may stand in any order; those that are missing are empty, and others are passed over.
 *
 * @throws {InvalidRequestError} naming the row, as a spreadsheet counts them, and the rule, never a value
 */
export function parseDictionaryCsv(text: string): Field[] {
  const [header, ...rows] = parseRows(text);
  const positions = new Map(header?.cells.map((name, position) => [toApiName(name), position]));
  const readers = rows.map((row) => ({ row, read: cellReader(row, positions) }));
  const problems = readers.flatMap(({ row, read }) => problemsOf(row, read));
  if (rows.length === 0) problems.push({ field: 'dictionary', message: 'has no field' });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return readers.map(({ read }) => toField(read));
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

interface Row {
  /** From 1, the header; cells with line breaks do not make it more than one row. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** @returns the trimmed cell of a row under an API name; empty when the file has no such column */
type CellReader = (apiName: string) => string;

function parseRows(text: string): Row[] {
  try {
    const rows: Row[] = [];
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { records, empty_lines }) => {
        rows.push({ number: records + empty_lines, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The error itself does not go on: it holds cells.
    const number = Number(error['records']) + Number(error['empty_lines']) + 1;
    throw new InvalidRequestError([{ field: `dictionary row ${number}`, message: 'is not valid CSV' }]);
  }
}

function toApiName(name: string): string {
  return API_NAMES.get(name.trim().toLowerCase()) ?? name;
}

function cellReader({ cells }: Row, positions: ReadonlyMap<string, number>): CellReader {
  return (apiName) => cells[positions.get(apiName) ?? -1]?.trim() ?? '';
}

function toField(text: CellReader): Field {
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

const RULES: readonly [apiName: string, isValid: (text: string) => boolean, message: string][] = [
  ['field_name', isFieldName, 'must be a field name'],
  ['form_name', isInstrumentName, 'must be the unique name of an instrument'],
  // A newer REDCap may know more types than we do.
  ['field_type', (text) => /^[a-z]+$/.test(text), 'must be a field type'],
];

function problemsOf({ number }: Row, text: CellReader): FieldProblem[] {
  return RULES.filter(([name, isValid]) => !isValid(text(name))).map(([name, , message]) => ({
    field: `dictionary row ${number}, ${name}`,
    message,
  }));
}

function isFlag(text: string): boolean {
  return text.toLowerCase() === 'y' || text === '1';
}

function toFlag(value: boolean): string {
  return value ? 'y' : '';
}

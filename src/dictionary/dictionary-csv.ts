import { stringify } from 'csv-stringify/sync';
import type { FieldProblem } from '../errors/field-problem.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { isFieldName } from '../identifiers/field-name.js';
import { isInstrumentName } from '../identifiers/instrument-name.js';
import { readCsvRows, type CsvRow, type CsvRowLimits } from './csv-rows.js';
import type { Field } from './field.js';
import { withDelimiter } from './with-delimiter.js';

/**
 * One column of a data dictionary: its name in REDCap's API, and its heading in a file downloaded from REDCap's web
 * page.
 */
interface DictionaryColumn {
  readonly api: string;
  readonly heading: string;
}

/** @see docs/protocol/redcap.md 8.1 (wire): eighteen columns, in this order */
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
 * Parses a data dictionary in CSV, either exported by the API or downloaded from the web page, with its own headings
 * and a byte order mark. Columns can be in any order; missing ones are empty, and unknown ones are ignored. What Excel
 * makes of it is read as well: semicolons or tabs instead of commas, a first line such as `sep=;`, and rows of empty
 * cells.
 *
 * @throws {InvalidRequestError} naming the row, counted as in a spreadsheet, and the rule, never a value
 */
export function parseDictionaryCsv(text: string): Field[] {
  const { table, delimiter } = withDelimiter(text, (name) => API_NAMES.has(name.toLowerCase()));
  const [header, ...all] = readCsvRows(DICTIONARY, table, delimiter, LIMITS);
  const rows = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const positions = new Map(header?.cells.map((name, position) => [toApiName(name), position]));
  const readers = rows.map((row) => ({ row, read: cellReader(row, positions) }));
  const problems = [...readers.flatMap(({ row, read }) => problemsOf(row, read)), ...repeatedNames(readers)];
  if (rows.length === 0) problems.push({ field: DICTIONARY, message: 'has no field' });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return readers.map(({ read }) => toField(read));
}

/** Far above what a project can have. */
const LIMITS: CsvRowLimits = { rows: 100_000, rowCharacters: 1024 * 1024 };

/** How errors name the file. */
const DICTIONARY = 'dictionary';

/** Returns the eighteen columns of a field as in REDCap's API: all strings, empty when unset. */
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

/**
 * Writes a data dictionary as CSV with REDCap's API names as the header. Both `parseDictionaryCsv` and REDCap can read
 * it.
 */
export function toDictionaryCsv(fields: readonly Field[]): string {
  const rows = fields.map((field) => {
    const row = toDictionaryRow(field);
    return DICTIONARY_COLUMNS.map((column) => row[column] ?? '');
  });
  return stringify([[...DICTIONARY_COLUMNS], ...rows]);
}

/** Returns the cell of a row by its API name, trimmed unless it is a label; empty if the file has no such column. */
export type CellReader = (apiName: string) => string;

/** Returns the API name of a column with a heading from REDCap's web page. Other names are returned unchanged. */
export function toApiName(name: string): string {
  return API_NAMES.get(name.trim().toLowerCase()) ?? name;
}

function cellReader({ cells }: CsvRow, positions: ReadonlyMap<string, number>): CellReader {
  return (apiName) => trimmedCell(apiName, cells[positions.get(apiName) ?? -1] ?? '');
}

/** A cell without the blanks around it; those of a label are kept, as REDCap keeps them. @see docs/protocol/redcap.md 20 (client) */
export function trimmedCell(apiName: string, text: string): string {
  return apiName === 'field_label' ? text : text.trim();
}

/** Returns the field that a row of the dictionary describes. */
export function toField(text: CellReader): Field {
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
  // Newer versions of REDCap may add types.
  ['field_type', (text) => /^[a-z]+$/.test(text), 'must be a field type'],
];

function problemsOf({ number }: CsvRow, text: CellReader): FieldProblem[] {
  return RULES.filter(([name, isValid]) => !isValid(text(name))).map(([name, , message]) => ({
    field: `dictionary row ${number}, ${name}`,
    message,
  }));
}

interface RowReader {
  readonly row: CsvRow;
  readonly read: CellReader;
}

/** Reports repeated field names. @see docs/protocol/redcap.md 2.4 (issue) */
function repeatedNames(readers: readonly RowReader[]): FieldProblem[] {
  const firstOf = new Map<string, number>();
  return readers.flatMap(({ row: { number }, read }) => {
    const name = read('field_name');
    const first = firstOf.get(name);
    if (first === undefined) firstOf.set(name, number);
    if (first === undefined || name === '') return [];
    return [
      { field: `dictionary row ${number}, field_name`, message: `must not repeat that of row ${first}` },
    ];
  });
}

function isFlag(text: string): boolean {
  return text.toLowerCase() === 'y' || text === '1';
}

function toFlag(value: boolean): string {
  return value ? 'y' : '';
}

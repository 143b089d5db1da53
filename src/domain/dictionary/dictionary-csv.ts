import { csvText } from '../bytes/csv-text.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { isFieldName, isInstrumentName } from '../identifiers/names.js';
import { readCsvRows, type CsvRow, type CsvRowLimits } from './csv-rows.js';
import { BLANK_FIELD, type Field } from './field.js';
import { withDelimiter } from './with-delimiter.js';

/**
 * The columns of a data dictionary, by the properties of a field: the name in REDCap's API, and the heading in a file
 * downloaded from REDCap's web page.
 *
 * @see docs/protocol/redcap.md 8.1 (wire): eighteen columns, in this order
 */
const COLUMNS: Readonly<Record<keyof Field, readonly [api: string, heading: string]>> = {
  name: ['field_name', 'Variable / Field Name'],
  instrument: ['form_name', 'Form Name'],
  sectionHeader: ['section_header', 'Section Header'],
  type: ['field_type', 'Field Type'],
  label: ['field_label', 'Field Label'],
  choicesOrCalculations: ['select_choices_or_calculations', 'Choices, Calculations, OR Slider Labels'],
  note: ['field_note', 'Field Note'],
  validationType: [
    'text_validation_type_or_show_slider_number',
    'Text Validation Type OR Show Slider Number',
  ],
  validationMin: ['text_validation_min', 'Text Validation Min'],
  validationMax: ['text_validation_max', 'Text Validation Max'],
  isIdentifier: ['identifier', 'Identifier?'],
  branchingLogic: ['branching_logic', 'Branching Logic (Show field only if...)'],
  isRequired: ['required_field', 'Required Field?'],
  alignment: ['custom_alignment', 'Custom Alignment'],
  questionNumber: ['question_number', 'Question Number (surveys only)'],
  matrixGroup: ['matrix_group_name', 'Matrix Group Name'],
  isMatrixRanking: ['matrix_ranking', 'Matrix Ranking?'],
  annotation: ['field_annotation', 'Field Annotation'],
};

/** The API names of the columns, in order. */
export const DICTIONARY_COLUMNS: readonly string[] = Object.values(COLUMNS).map(([api]) => api);

const PROPERTIES = Object.keys(COLUMNS) as (keyof Field)[];

const API_NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(COLUMNS).flatMap(([api, heading]) => [
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
 * @throws {InvalidRequestError} naming the row, counted as in a spreadsheet, its line, and the rule, never a value, or a column that is missing
 */
export async function parseDictionaryCsv(text: string): Promise<Field[]> {
  const { table, delimiter, linesBefore } = withDelimiter(text, (name) => API_NAMES.has(name.toLowerCase()));
  const [header, ...all] = await readCsvRows(DICTIONARY, table, delimiter, { ...LIMITS, linesBefore });
  const rows = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const positions = new Map(header?.cells.map((name, position) => [toApiName(name), position]));
  if (rows.length > 0) refuseMissingColumns(positions);
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
  return Object.fromEntries(
    PROPERTIES.map((name) => {
      const value = field[name];
      return [COLUMNS[name][0], typeof value === 'string' ? value : value ? 'y' : ''];
    }),
  );
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
  return csvText([DICTIONARY_COLUMNS, ...rows]);
}

/** @throws {InvalidRequestError} a column without which there is no field; the same in every row, and so said once */
function refuseMissingColumns(positions: ReadonlyMap<string, number>): void {
  const missing = (['name', 'instrument', 'type'] as const).filter(
    (name) => !positions.has(COLUMNS[name][0]),
  );
  if (missing.length === 0) return;
  throw new InvalidRequestError(
    missing.map((name) => {
      const [api, heading] = COLUMNS[name];
      return { field: DICTIONARY, message: `has no column ${api} ("${heading}") in its header` };
    }),
  );
}

/** Returns the cell of a row by its API name; empty if the file has no such column. */
export type CellReader = (apiName: string) => string;

/** Returns the API name of a column with a heading from REDCap's web page. Other names are returned unchanged. */
export function toApiName(name: string): string {
  return API_NAMES.get(name.trim().toLowerCase()) ?? name;
}

function cellReader({ cells }: CsvRow, positions: ReadonlyMap<string, number>): CellReader {
  return (apiName) => trimmedCell(apiName, cells[positions.get(apiName) ?? -1] ?? '');
}

/** A cell without the blanks around it; those of a text are kept, as REDCap keeps them. @see docs/protocol/redcap.md 20 (client) */
export function trimmedCell(apiName: string, text: string): string {
  return KEPT.has(apiName) ? text : text.trim();
}

/** The texts, in which a blank means something: a section header of one blank is a line across the form. */
const KEPT: ReadonlySet<string> = new Set(
  (
    [
      'sectionHeader',
      'label',
      'choicesOrCalculations',
      'note',
      'validationMin',
      'validationMax',
      'branchingLogic',
      'questionNumber',
      'annotation',
    ] as const
  ).map((name) => COLUMNS[name][0]),
);

/** Returns the field that a row of the dictionary describes. */
export function toField(text: CellReader): Field {
  const cells = PROPERTIES.map((name) => {
    const cell = text(COLUMNS[name][0]);
    return [name, typeof BLANK_FIELD[name] === 'string' ? cell : isFlag(cell)];
  });
  return Object.fromEntries(cells) as Field; // each has the type that it has in a blank one
}

const RULES: readonly [apiName: string, isValid: (text: string) => boolean, message: string][] = [
  ['field_name', isFieldName, 'must be a field name'],
  ['form_name', isInstrumentName, 'must be the unique name of an instrument'],
  // Newer versions of REDCap may add types.
  ['field_type', (text) => /^[a-z]+$/.test(text), 'must be a field type'],
];

function problemsOf(row: CsvRow, text: CellReader): FieldProblem[] {
  return RULES.filter(([name, isValid]) => !isValid(text(name))).map(([name, , message]) => ({
    field: `${placeOf(row)}, ${name}`,
    message,
  }));
}

const placeOf = ({ number, line }: CsvRow): string => `${DICTIONARY} row ${number} (line ${line})`;

interface RowReader {
  readonly row: CsvRow;
  readonly read: CellReader;
}

/** Reports repeated field names. @see docs/protocol/redcap.md 2.4 (issue) */
function repeatedNames(readers: readonly RowReader[]): FieldProblem[] {
  const firstOf = new Map<string, number>();
  return readers.flatMap(({ row, read }) => {
    const { number } = row;
    const name = read('field_name');
    const first = firstOf.get(name);
    if (first === undefined) firstOf.set(name, number);
    if (first === undefined || name === '') return [];
    return [{ field: `${placeOf(row)}, field_name`, message: `must not repeat that of row ${first}` }];
  });
}

function isFlag(text: string): boolean {
  return text.toLowerCase() === 'y' || text === '1';
}

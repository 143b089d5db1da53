import { describeChoice } from '../../dictionary/value-rules.js';
import { checkboxColumnName } from '../../dictionary/export-column.js';
import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import { isRecordId, RECORD_ID_MIN_LENGTH, recordIdRule } from '../../identifiers/record-id.js';
import { RowUntyper } from '../typed-rows/row-untyper.js';
import { ColumnChecks, STRUCTURE, type ColumnCheck } from './column-checks.js';
import type { CsvCells } from './csv-cells.js';
import { csvColumns, type CsvColumn } from './csv-columns.js';
import { FlatRowPlan, KEY_COLUMNS } from './flat-row-plan.js';
import { FlatRowPlans } from './flat-row-plans.js';
import type { ImportRequest } from './import-request.js';
import type { ImportRemarks } from './import-remarks.js';
import { InputErrors } from './input-errors.js';
import type { CellValue, InputRow, JsonRow, RowPlace, SentRow } from './input-item.js';
import { JsonBytes } from './json-bytes.js';
import { parseObject } from './json-object.js';
import type { ProblemList } from './problem-list.js';
import { asUnknownField, UnknownColumns } from './unknown-columns.js';

/** A row that may be sent. */
export interface CheckedRow {
  readonly record: string;
  /** The row as one JSON object in UTF-8, valid until the next row is checked. */
  readonly json: Buffer;
  /** Whether REDCap chooses its repeat instance. If such a row is sent twice, it is stored twice. */
  readonly isNewInstance: boolean;
}

export interface RowCheckerOptions {
  /** Minimum length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** The codes with which any field of the project may mark a value as missing. */
  readonly missingCodes?: ReadonlySet<string> | undefined;
}

/**
 * Checks the rows of one import against the record id rule and the data dictionary, and writes them in REDCap's form.
 */
export class RowChecker {
  readonly #dictionary: DataDictionary;
  readonly #columns: ColumnChecks;
  readonly #unknown: UnknownColumns;
  readonly #errors: InputErrors;
  readonly #remarks: ImportRemarks;
  /** The first field of the project. */
  readonly #idField: string;
  /** The column with the record id: the first field, or `record` in EAV. */
  readonly #idColumn: string;
  readonly #isEav: boolean;
  readonly #isAutoNumbered: boolean;
  readonly #minLength: number;
  /** Set if values are typed. */
  readonly #untyper: RowUntyper | undefined;
  readonly #json = new JsonBytes();
  /** Used for JSON rows. */
  readonly #plans = new FlatRowPlans();
  #csv: CsvShape = { columns: [], idIndex: -1, keyIndexes: [] };

  constructor(
    dictionary: DataDictionary,
    request: ImportRequest,
    remarks: ImportRemarks,
    options: RowCheckerOptions = {},
  ) {
    this.#dictionary = dictionary;
    this.#columns = new ColumnChecks(dictionary, request, options.missingCodes);
    this.#unknown = new UnknownColumns(dictionary);
    this.#errors = new InputErrors(request.inputName);
    this.#remarks = remarks;
    this.#isEav = request.type === 'eav';
    this.#idField = dictionary.recordIdField?.name ?? 'record_id';
    this.#idColumn = this.#isEav ? 'record' : this.#idField;
    this.#isAutoNumbered = request.forceAutoNumber === true;
    this.#minLength = options.recordIdMinLength ?? RECORD_ID_MIN_LENGTH;
    if (request.values === 'typed') this.#untyper = new RowUntyper(dictionary);
  }

  /** Reads the header of a CSV. @throws {MalformedRequestError} a name is reserved or occurs twice */
  readHeader(cells: CsvCells, place: RowPlace): void {
    const columns = csvColumns(cells, place, (name) => this.#columns.get(name), this.#errors);
    const indexOf = (wanted: string): number => columns.findIndex(({ name }) => name === wanted);
    this.#csv = { columns, idIndex: indexOf(this.#idColumn), keyIndexes: KEY_COLUMNS.map(indexOf) };
  }

  /**
   * Reads a JSON row before its parser does. A row that is certainly valid is not parsed.
   *
   * @returns the offset at which it ends; -1 for a row that has to be parsed
   */
  read(bytes: Buffer, from: number): number {
    return this.#isEav || this.#untyper !== undefined ? -1 : this.#plans.read(bytes, from);
  }

  /**
   * @returns the row to send; undefined if nothing of it is sent, or if there is a problem, which is then added to
   *   `problems`
   * @throws {MalformedRequestError} the row cannot be read
   */
  check(item: InputRow, problems: ProblemList): CheckedRow | undefined {
    const before = problems.count;
    const checked = this.#checked(item, problems);
    const isValid = problems.count === before && !problems.isFull;
    if (isValid) this.#remarks.endRow(checked?.record ?? '', item.place);
    else this.#remarks.dropRow();
    return isValid ? checked : undefined;
  }

  #checked({ place, ...item }: InputRow, problems: ProblemList): CheckedRow | undefined {
    if (item.kind === 'cells') {
      this.#refuseOddRow(item.cells, place);
      return this.#isEav
        ? this.#checkSent(sentRowOf(this.#csv.columns, item.cells), place, problems)
        : this.#checkCells(item.cells, place, problems);
    }
    if (this.#untyper !== undefined) return this.#checkTyped(item.bytes, place, problems, this.#untyper);
    const plan = this.#planThatRead(item);
    if (plan !== undefined) return this.#checkPlanned(plan, item.bytes);
    // The values are known to be scalars.
    const row = parseObject(item.bytes, place, this.#errors) as SentRow;
    const checked = this.#checkSent(row, place, problems);
    if (checked !== undefined && !this.#isEav) this.#plan(row);
    return checked;
  }

  /** Turns the typed values of a row back into text, which is then checked like any other row. */
  #checkTyped(
    bytes: Buffer,
    place: RowPlace,
    problems: ProblemList,
    untyper: RowUntyper,
  ): CheckedRow | undefined {
    const formless: FieldProblem[] = [];
    const row = untyper.untype(parseObject(bytes, place, this.#errors), (problem) => formless.push(problem));
    const checked = this.#checkSent(row, place, problems);
    for (const { field, message } of formless) problems.add(field, message);
    return checked;
  }

  #planThatRead({ bytes, isRead }: Pick<JsonRow, 'bytes' | 'isRead'>): FlatRowPlan | undefined {
    return isRead || this.read(bytes, 0) === bytes.length ? this.#plans.last : undefined;
  }

  /** Passes on the bytes of a row that has the shape of an earlier one. */
  #checkPlanned(plan: FlatRowPlan, bytes: Buffer): CheckedRow {
    const { keys, ignored } = this.#remarks;
    const { record, isNewInstance } = plan;
    if (!isNewInstance) {
      keys.start(record);
      plan.addKey(keys);
    }
    const json = plan.hasIgnored ? plan.withoutIgnored(this.#json, ignored) : bytes;
    return { record, json, isNewInstance };
  }

  #plan(row: SentRow): void {
    const checks: ColumnCheck[] = [];
    for (const name of Object.keys(row)) {
      const check = this.#columns.get(name);
      if (check === undefined) return;
      checks.push(check);
    }
    const minLength = this.#isAutoNumbered ? 0 : this.#minLength;
    this.#plans.add(new FlatRowPlan(checks, this.#idColumn, minLength));
  }

  #refuseOddRow(cells: CsvCells, place: RowPlace): void {
    const { length } = this.#csv.columns;
    if (cells.count === length) return;
    throw this.#errors.row(place, `has another number of cells (${cells.count}) than the header (${length})`);
  }

  #idRuleBrokenBy(record: string): string | undefined {
    if (record === '') return 'must not be empty';
    if (this.#isAutoNumbered || isRecordId(record, this.#minLength)) return undefined;
    return recordIdRule(this.#minLength);
  }

  #beginRow(record: string, place: RowPlace, problems: ProblemList): void {
    const rule = this.#idRuleBrokenBy(record);
    problems.beginRow(rule === undefined ? record : '', place);
    if (rule !== undefined) problems.add(this.#idColumn, rule);
  }

  /** Checks the cells of a CSV row by position and writes them as JSON. */
  #checkCells(cells: CsvCells, place: RowPlace, problems: ProblemList): CheckedRow | undefined {
    const { bytes } = cells;
    const json = this.#json;
    const { columns, idIndex, keyIndexes } = this.#csv;
    const record = idIndex === -1 ? '' : cells.text(idIndex);
    this.#beginRow(record, place, problems);
    json.clear();
    let start = 0;
    let end = 0;
    for (let index = 0; index < columns.length; index++) {
      const { name, lead, check } = columns[index] as CsvColumn;
      start = end;
      end = cells.end(index);
      if (check === undefined) {
        this.#unknown.tell(name, index, problems);
        continue;
      }
      if (check.ignored !== undefined) {
        this.#remarks.ignored.add(name, check.ignored, start === end);
        continue;
      }
      if (start < end && index !== idIndex && !check.accepts(bytes, start, end)) {
        refuse(check, bytes.toString('utf8', start, end), problems);
      }
      json.add(lead);
      json.addEscaped(bytes, start, end);
    }
    json.add(ROW_END);
    const texts = keyIndexes.map((index) => (index === -1 ? '' : cells.text(index)));
    const isNewInstance = texts[2] === 'new';
    if (!isNewInstance) this.#noteKey(record, texts);
    return { record, json: json.bytes, isNewInstance };
  }

  /** Checks a parsed row. Every value is converted to text. */
  #checkSent(row: SentRow, place: RowPlace, problems: ProblemList): CheckedRow | undefined {
    const record = textOf(row, this.#idColumn) ?? '';
    this.#beginRow(record, place, problems);
    const cells = this.#isEav
      ? this.#eavCells(row, record, problems)
      : this.#flatCells(row, record, problems);
    if (cells === undefined) return undefined;
    const isNewInstance = cells['redcap_repeat_instance'] === 'new';
    if (!isNewInstance) {
      const names = this.#isEav ? [...KEY_COLUMNS, 'field_name'] : KEY_COLUMNS;
      this.#noteKey(
        record,
        names.map((name) => cells[name] ?? ''),
      );
    }
    return { record, json: Buffer.from(jsonOf(cells, problems)), isNewInstance };
  }

  #noteKey(record: string, texts: readonly string[]): void {
    const { keys } = this.#remarks;
    keys.start(record);
    for (const text of texts) keys.addText(text);
  }

  #flatCells(row: SentRow, record: string, problems: ProblemList): Cells {
    const cells = emptyCells();
    for (const [index, name] of Object.keys(row).entries()) {
      const check = this.#columns.get(name);
      if (check === undefined) this.#unknown.tell(name, index, problems);
      else if (name === this.#idColumn) cells[name] = record;
      else if (check.ignored !== undefined)
        this.#remarks.ignored.add(name, check.ignored, isBlank(row[name]));
      else {
        const value = checkedValue(row[name], check, problems);
        if (value !== undefined) cells[name] = value;
      }
    }
    return cells;
  }

  /** @see docs/protocol/redcap.md 5.3 (doc) */
  #eavCells(row: SentRow, record: string, problems: ProblemList): Cells | undefined {
    const cells = emptyCells();
    cells['record'] = record;
    for (const [index, name] of Object.keys(row).entries()) {
      if (name === 'record' || name === 'field_name' || name === 'value') continue;
      const check = IS_STRUCTURE.has(name) ? this.#columns.get(name) : undefined;
      if (check === undefined) this.#unknown.tell(name, index, problems);
      else cells[name] = checkedValue(row[name], check, problems) ?? '';
    }
    const sent = textOf(row, 'field_name') ?? '';
    const [field, value] = this.#asColumn(sent, Object.hasOwn(row, 'value') ? row['value'] : undefined);
    const check = IS_STRUCTURE.has(field) ? undefined : this.#columns.get(field);
    if (!Object.hasOwn(row, 'value')) problems.add('value', 'is missing');
    if (check === undefined) this.#reportUnknownField(sent, problems);
    else if (check.ignored !== undefined) this.#remarks.ignored.add(field, check.ignored, isBlank(value));
    else {
      cells['field_name'] = field;
      cells['value'] = checkedValue(value, check, problems) ?? '';
      if (field === this.#idField && cells['value'] !== record) problems.add(field, 'must be as in record');
      return cells;
    }
    return undefined;
  }

  /**
   * Converts a checked choice. It is exported as field name and code, but imported as the column of the choice with
   * value 1.
   *
   * @see docs/protocol/redcap.md 4.5, 5.3 (client)
   */
  #asColumn(name: string, value: CellValue | undefined): readonly [string, CellValue | undefined] {
    if (this.#dictionary.field(name)?.type !== 'checkbox') return [name, value];
    const column = checkboxColumnName(name, toText(value) ?? '');
    return this.#columns.get(column) === undefined ? [name, value] : [column, '1'];
  }

  #reportUnknownField(name: string, problems: ProblemList): void {
    const field = this.#dictionary.field(name);
    if (field?.type === 'checkbox') {
      const codes = this.#dictionary.choices(field).slice(0, MAX_CODES).map(describeChoice).join(', ');
      problems.add(name, `must be the code of a choice: ${codes}`);
      return;
    }
    const { message, suggestion } = asUnknownField(this.#unknown.nearest(name));
    problems.add('field_name', message, suggestion);
  }
}

/** The header of a CSV. */
interface CsvShape {
  readonly columns: readonly CsvColumn[];
  /** The index of the record id column; -1 if there is none. */
  readonly idIndex: number;
  /** The indexes of `KEY_COLUMNS`. */
  readonly keyIndexes: readonly number[];
}

type Cells = Record<string, string>;

/** Creates an object without prototype: a column may have any name (IN-04). */
function emptyCells(): Cells {
  return Object.create(null) as Cells;
}

function sentRowOf(columns: readonly CsvColumn[], cells: CsvCells): SentRow {
  const row: Record<string, string> = {};
  for (const [index, { name }] of columns.entries()) row[name] = cells.text(index);
  return row;
}

function checkedValue(
  sent: CellValue | undefined,
  check: ColumnCheck,
  problems: ProblemList,
): string | undefined {
  const value = toText(sent);
  if (value === undefined) problems.add(check.name, INEXACT);
  else if (!refuse(check, value, problems)) return value;
  return undefined;
}

/** @returns whether the value breaks the rule of its column, which is then reported */
function refuse(check: ColumnCheck, value: string, problems: ProblemList): boolean {
  const rule = check.ruleBrokenBy(value);
  if (rule === undefined) return false;
  const meant = check.suggest?.(value);
  const hint = meant === undefined ? '' : `; did you mean ${describeMeant(meant)}?`;
  problems.add(check.name, rule + hint, meant?.code);
  return true;
}

function describeMeant(meant: { readonly code: string; readonly label: string }): string {
  const described = describeChoice(meant);
  return `"${meant.code}"${described.slice(meant.code.length)}`;
}

/**
 * Returns the cells as JSON. Reports lone surrogates, which only JSON escapes can produce: REDCap would refuse the
 * whole call.
 */
function jsonOf(cells: Cells, problems: ProblemList): string {
  const json = JSON.stringify(cells);
  if (json.includes('\\ud')) {
    for (const [name, value] of Object.entries(cells)) {
      if (LONE_SURROGATE.test(value))
        problems.add(name, 'must be text: it contains half of a surrogate pair');
    }
  }
  return json;
}

function textOf(row: SentRow, name: string): string | undefined {
  return Object.hasOwn(row, name) ? toText(row[name]) : undefined;
}

function isBlank(value: CellValue | undefined): boolean {
  return value === '' || value === null || value === undefined;
}

/** Returns the value in REDCap's form; undefined for a number that lost precision when JSON was parsed. */
function toText(value: CellValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

const ROW_END = Buffer.from('"}');
const LONE_SURROGATE = /\p{Cs}/u;
const INEXACT = 'must be sent as a string: it has more digits than a JSON number keeps';
const IS_STRUCTURE: ReadonlySet<string> = new Set(STRUCTURE);
const MAX_CODES = 8;

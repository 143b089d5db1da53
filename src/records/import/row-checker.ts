import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import { say } from '../../errors/sentences.js';
import { RowUntyper, type Misfitting } from '../typed/row-untyper.js';
import {
  checkedText,
  checkedValue,
  isBlank,
  textOf,
  type ValueReport,
  emptyCells,
  jsonOf,
  type Cells,
} from './cell-values.js';
import { ColumnChecks, type ColumnCheck } from './column-checks.js';
import type { CsvCells } from './csv-cells.js';
import { csvColumns, ROW_END, sentRowOf, type CsvColumn, type CsvShape } from './csv-columns.js';
import { EavCells } from './eav-cells.js';
import { FlatRowPlan, KEY_COLUMNS, FlatRowPlans } from './flat-row-plan.js';
import type { ImportRequest } from './import-request.js';
import type { ImportRemarks } from './import-remarks.js';
import { InputErrors } from './input-errors.js';
import type { InputRow, JsonRow, RowPlace, SentRow } from './input-item.js';
import { JsonBytes } from './json-bytes.js';
import { parseObject } from './json-object.js';
import type { ProblemList } from './problem-list.js';
import { RecordIdCheck, type RecordIdCheckOptions } from './record-id-check.js';
import { UnknownColumns } from './unknown-columns.js';

/** A row that may be sent. */
export interface CheckedRow {
  readonly record: string;
  /** The row as one JSON object in UTF-8, valid until the next row is checked. */
  readonly json: Buffer;
  /** Whether REDCap chooses its repeat instance. If such a row is sent twice, it is stored twice. */
  readonly isNewInstance: boolean;
}

export interface RowCheckerOptions extends RecordIdCheckOptions {
  /** The settings of the project; undefined until a row depends on them. */
  readonly settings?: CheckedSettings | undefined;
}

/** The settings of a project on which the check of a row may depend. */
export interface CheckedSettings {
  /** The codes with which any field may mark a value as missing. */
  readonly missingCodes: ReadonlySet<string>;
  /** Whether REDCap numbers the records, so that nobody invents their ids. */
  readonly isNumbering: boolean;
}

/**
 * Checks the rows of one import against the record id rule and the data dictionary, and writes them in REDCap's form.
 */
export class RowChecker {
  readonly #columns: ColumnChecks;
  readonly #unknown: UnknownColumns;
  readonly #errors: InputErrors;
  readonly #remarks: ImportRemarks;
  /** The column with the record id: the first field, or `record` in EAV. */
  readonly #idColumn: string;
  /** Set if rows are EAV. */
  readonly #eav: EavCells | undefined;
  readonly #ids: RecordIdCheck;
  readonly #settings: CheckedSettings | undefined;
  #doubt: 'settings' | 'records' | undefined;
  /** Set if values are typed. */
  readonly #untyper: RowUntyper | undefined;
  readonly #json = new JsonBytes();
  /** Used for JSON rows. */
  readonly #plans = new FlatRowPlans();
  /** Event, repeat instrument and instance of the last row that was checked by its cells. */
  #keyTexts: readonly string[] = [];
  #csv: CsvShape = { columns: [], cellCount: 0, idIndex: -1, keyIndexes: [] };

  constructor(
    dictionary: DataDictionary,
    request: ImportRequest,
    remarks: ImportRemarks,
    options: RowCheckerOptions = {},
  ) {
    this.#columns = new ColumnChecks(dictionary, request, options.settings?.missingCodes);
    this.#settings = options.settings;
    this.#unknown = new UnknownColumns(dictionary);
    this.#errors = new InputErrors(request.inputName);
    this.#remarks = remarks;
    const isEav = request.type === 'eav';
    if (isEav) this.#eav = new EavCells(dictionary, this.#columns, this.#unknown, remarks);
    this.#idColumn = isEav ? 'record' : (dictionary.recordIdField?.name ?? 'record_id');
    this.#ids = new RecordIdCheck(request, options);
    if (request.values === 'typed') this.#untyper = new RowUntyper(dictionary);
  }

  /** What the check of the last row depends on and does not know. */
  get doubt(): 'settings' | 'records' | undefined {
    return this.#doubt;
  }

  /** Reads the header of a CSV. @throws {MalformedRequestError} a name is reserved or occurs twice */
  readHeader(cells: CsvCells, place: RowPlace): void {
    const columns = csvColumns(cells, place, (name) => this.#columns.get(name), this.#errors);
    const indexOf = (wanted: string): number => columns.findIndex(({ name }) => name === wanted);
    this.#csv = {
      columns,
      cellCount: cells.count,
      idIndex: indexOf(this.#idColumn),
      keyIndexes: KEY_COLUMNS.map(indexOf),
    };
  }

  /**
   * Reads a JSON row before its parser does. A row that is certainly valid is not parsed.
   *
   * @returns the offset at which it ends; -1 for a row that has to be parsed
   */
  read(bytes: Buffer, from: number): number {
    return this.#eav !== undefined || this.#untyper !== undefined ? -1 : this.#plans.read(bytes, from);
  }

  /**
   * @returns the row to send; undefined if nothing of it is sent, if there is a `doubt`, or if there is a problem, which
   *   is then added to `problems`
   * @throws {MalformedRequestError} the row cannot be read
   */
  check(item: InputRow, problems: ProblemList): CheckedRow | undefined {
    const before = problems.count;
    this.#doubt = undefined;
    const checked = this.#checked(item, problems);
    const hasProblem = problems.count > before;
    if (this.#settings === undefined && (hasProblem || this.#remarks.warnings.isPending))
      this.#doubt = 'settings';
    const isValid = !hasProblem && this.#doubt === undefined && !problems.isFull;
    if (isValid) this.#remarks.endRow(checked?.record ?? '', item.place, this.#keyTexts);
    else this.#remarks.dropRow();
    return isValid ? checked : undefined;
  }

  #checked({ place, ...item }: InputRow, problems: ProblemList): CheckedRow | undefined {
    if (item.kind === 'cells') {
      this.#refuseOddRow(item.cells, place);
      return this.#eav === undefined
        ? this.#checkCells(item.cells, place, problems)
        : this.#checkSent(sentRowOf(this.#csv.columns, item.cells), place, problems);
    }
    if (this.#untyper !== undefined) return this.#checkTyped(item.bytes, place, problems, this.#untyper);
    const plan = this.#planThatRead(item);
    if (plan !== undefined) return this.#checkPlanned(plan, item.bytes);
    // The values are known to be scalars.
    const row = parseObject(item.bytes, place, this.#errors) as SentRow;
    const checked = this.#checkSent(row, place, problems);
    if (checked !== undefined && this.#eav === undefined) this.#plan(row);
    return checked;
  }

  /** Turns the typed values of a row back into text, which is then checked like any other row. */
  #checkTyped(
    bytes: Buffer,
    place: RowPlace,
    problems: ProblemList,
    untyper: RowUntyper,
  ): CheckedRow | undefined {
    const formless: Misfitting[] = [];
    const row = untyper.untype(parseObject(bytes, place, this.#errors), (problem) => formless.push(problem));
    const checked = this.#checkSent(row, place, problems);
    if (this.#doubt === undefined) for (const { field, rule } of formless) problems.add(field, rule);
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
      if (check === undefined || check.toStored !== undefined) return;
      checks.push(check);
    }
    this.#plans.add(new FlatRowPlan(checks, this.#idColumn, (record) => this.#ids.accepts(record)));
  }

  #refuseOddRow(cells: CsvCells, place: RowPlace): void {
    const { columns, cellCount } = this.#csv;
    if (cells.count < columns.length || cells.count > cellCount)
      throw this.#errors.row(place, say('other_cell_count', { cells: cells.count, header: cellCount }));
    for (let index = columns.length; index < cells.count; index++) {
      if (cells.start(index) < cells.end(index))
        throw this.#errors.row(place, say('value_without_name', { column: index + 1 }));
    }
  }

  /** @returns false if the row cannot be checked before the records of the project are known */
  #beginRow(record: string, place: RowPlace, problems: ProblemList, isInexact = false): boolean {
    const isAccepted = this.#ids.accepts(record);
    if (!isAccepted && this.#ids.dependsOnRecords(record)) {
      this.#doubt = 'records';
      return false;
    }
    problems.beginRow(isAccepted ? record : '', place);
    if (!isAccepted) problems.add(this.#idColumn, isInexact ? say('inexact_number') : this.#ids.rule(record));
    return true;
  }

  /** Checks the cells of a CSV row by position and writes them as JSON. */
  #checkCells(cells: CsvCells, place: RowPlace, problems: ProblemList): CheckedRow | undefined {
    const { bytes } = cells;
    const json = this.#json;
    const { columns, idIndex, keyIndexes } = this.#csv;
    const record = idIndex === -1 ? '' : cells.text(idIndex);
    if (!this.#beginRow(record, place, problems)) return undefined;
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
      json.add(lead);
      if (start === end || index === idIndex || check.accepts(bytes, start, end))
        json.addEscaped(bytes, start, end);
      else {
        const text = bytes.toString('utf8', start, end);
        const value = checkedText(text, check, this.#reportTo(problems)) ?? text;
        if (value === text) json.addEscaped(bytes, start, end);
        else json.add(Buffer.from(value));
      }
    }
    json.add(ROW_END);
    const texts = keyIndexes.map((index) => (index === -1 ? '' : cells.text(index)));
    this.#keyTexts = texts;
    const isNewInstance = texts[2] === 'new';
    if (!isNewInstance) this.#remarks.keys.startWith(record, texts);
    return { record, json: json.bytes, isNewInstance };
  }

  /** Checks a parsed row. Every value is converted to text. */
  #checkSent(row: SentRow, place: RowPlace, problems: ProblemList): CheckedRow | undefined {
    const text = textOf(row, this.#idColumn);
    const isInexact = text === undefined && Object.hasOwn(row, this.#idColumn);
    const record = text ?? '';
    if (!this.#beginRow(record, place, problems, isInexact)) return undefined;
    const cells =
      this.#eav === undefined ? this.#flatCells(row, record, problems) : this.#eav.of(row, record, problems);
    if (cells === undefined) return undefined;
    this.#keyTexts = KEY_COLUMNS.map((name) => cells[name] ?? '');
    const isNewInstance = cells['redcap_repeat_instance'] === 'new';
    if (!isNewInstance) {
      const names = this.#eav === undefined ? KEY_COLUMNS : [...KEY_COLUMNS, 'field_name'];
      const texts = names.map((name) => cells[name] ?? '');
      this.#remarks.keys.startWith(record, texts);
    }
    return { record, json: Buffer.from(jsonOf(cells, problems)), isNewInstance };
  }

  #reportTo(problems: ProblemList): ValueReport {
    return { problems, warnings: this.#remarks.warnings };
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
        const value = checkedValue(row[name], check, this.#reportTo(problems));
        if (value !== undefined) cells[name] = value;
      }
    }
    return cells;
  }
}

import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import { isRecordId, RECORD_ID_MIN_LENGTH, recordIdRule } from '../../identifiers/record-id.js';
import { ColumnChecks, type ColumnCheck } from './column-checks.js';
import type { CellValue, SentRow } from './import-event.js';
import type { ImportRequest } from './import-request.js';
import type { ProblemList } from './problem-list.js';

/** A row that may be sent. */
export interface CheckedRow {
  readonly record: string;
  /** The row as one JSON object, every value a string. */
  readonly json: string;
  /** Whether REDCap chooses its repeat instance: sent twice, it is stored twice. */
  readonly isNewInstance: boolean;
}

export interface RowCheckerOptions {
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** What the project may hold in any field for a value that is missing. */
  readonly missingCodes?: ReadonlySet<string> | undefined;
}

/** Holds the rows of one import against the rule for record ids and the data dictionary, and writes them as REDCap reads them. */
export class RowChecker {
  readonly #columns: ColumnChecks;
  /** The first field of the project. */
  readonly #idField: string;
  /** The column that has the record id: that field, or `record` in EAV. */
  readonly #idColumn: string;
  readonly #isEav: boolean;
  readonly #isAutoNumbered: boolean;
  readonly #minLength: number;

  constructor(dictionary: DataDictionary, request: ImportRequest, options: RowCheckerOptions = {}) {
    this.#columns = new ColumnChecks(dictionary, request, options.missingCodes);
    this.#isEav = request.type === 'eav';
    this.#idField = dictionary.recordIdField?.name ?? 'record_id';
    this.#idColumn = this.#isEav ? 'record' : this.#idField;
    this.#isAutoNumbered = request.forceAutoNumber === true;
    this.#minLength = options.recordIdMinLength ?? RECORD_ID_MIN_LENGTH;
  }

  /**
   * @param position the row's number in the input, from 1
   * @returns the row as it is sent; undefined when nothing of it is, or when something is wrong, which `problems` then tells
   */
  check(row: SentRow, position: number, problems: ProblemList): CheckedRow | undefined {
    const before = problems.problems.length;
    const record = (Object.hasOwn(row, this.#idColumn) ? toText(row[this.#idColumn]) : '') ?? '';
    const rule = this.#idRuleBrokenBy(record);
    problems.beginRow(rule === undefined ? record : '', position);
    if (rule !== undefined) problems.add(this.#idColumn, rule);

    const cells = this.#isEav
      ? this.#eavCells(row, record, problems)
      : this.#flatCells(row, record, problems);
    const json = cells && jsonOf(cells, problems);
    if (problems.problems.length > before || cells === undefined || json === undefined || problems.isFull) {
      return undefined;
    }
    return { record, json, isNewInstance: cells['redcap_repeat_instance'] === 'new' };
  }

  #idRuleBrokenBy(record: string): string | undefined {
    if (record === '') return 'must not be empty';
    if (this.#isAutoNumbered || isRecordId(record, this.#minLength)) return undefined;
    return recordIdRule(this.#minLength);
  }

  #flatCells(row: SentRow, record: string, problems: ProblemList): Cells {
    const cells = emptyCells();
    const names = Object.keys(row);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const check = this.#columns.get(name);
      if (check === undefined) problems.addUnknownField(name, index);
      else if (name === this.#idColumn) cells[name] = record;
      else if (!check.isDropped) {
        const value = checkedValue(row[name], name, check, problems);
        if (value !== undefined) cells[name] = value;
      }
    }
    return cells;
  }

  /** @see protocol reference 5.3 (doc) */
  #eavCells(row: SentRow, record: string, problems: ProblemList): Cells | undefined {
    const cells = emptyCells();
    cells['record'] = record;
    for (const [index, name] of Object.keys(row).entries()) {
      if (name === 'record' || name === 'field_name' || name === 'value') continue;
      const check = EAV_STRUCTURE.has(name) ? this.#columns.get(name) : undefined;
      if (check === undefined) problems.addUnknownField(name, index);
      else cells[name] = checkedValue(row[name], name, check, problems) ?? '';
    }
    const field = (Object.hasOwn(row, 'field_name') ? toText(row['field_name']) : '') ?? '';
    const check = EAV_STRUCTURE.has(field) ? undefined : this.#columns.get(field);
    if (check === undefined) problems.add('field_name', 'must be a field of the project');
    else if (!Object.hasOwn(row, 'value')) problems.add('value', 'is missing');
    else if (!check.isDropped) {
      cells['field_name'] = field;
      cells['value'] = checkedValue(row['value'], field, check, problems) ?? '';
      if (field === this.#idField && cells['value'] !== record) problems.add(field, 'must be as in record');
      return cells;
    }
    return undefined;
  }
}

type Cells = Record<string, string>;

/** Without a prototype: a column may have any name (IN-04). */
function emptyCells(): Cells {
  return Object.create(null) as Cells;
}

function checkedValue(
  sent: CellValue | undefined,
  field: string,
  check: ColumnCheck,
  problems: ProblemList,
): string | undefined {
  const value = toText(sent);
  const rule = value === undefined ? INEXACT : check.ruleBrokenBy(value);
  if (rule === undefined) return value;
  problems.add(field, rule);
  return undefined;
}

/** The cells as JSON. Half of a surrogate pair, which only an escape in JSON can bring, REDCap refuses with the whole call. */
function jsonOf(cells: Cells, problems: ProblemList): string {
  const json = JSON.stringify(cells);
  if (json.includes('\\ud')) {
    for (const [name, value] of Object.entries(cells)) {
      if (LONE_SURROGATE.test(value)) problems.add(name, 'must be text: it holds half of a surrogate pair');
    }
  }
  return json;
}

/** The value as REDCap writes it; undefined for a number that JSON's reader has changed. */
function toText(value: CellValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

const LONE_SURROGATE = /\p{Cs}/u;
const INEXACT = 'must be sent as a string: it has more digits than a JSON number keeps';
const EAV_STRUCTURE = new Set([
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
]);

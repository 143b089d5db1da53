import { DataDictionary } from '../../dictionary/data-dictionary.js';
import type { Field } from '../../dictionary/field.js';
import { isRecordId, RECORD_ID_MIN_LENGTH, recordIdRule } from '../../identifiers/record-id.js';
import { columnChecks, type ColumnCheck } from './column-checks.js';
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

/** Holds the rows of one import against the rule for record ids and the data dictionary, and writes them as REDCap reads them. */
export class RowChecker {
  readonly #columns: ReadonlyMap<string, ColumnCheck>;
  readonly #recordIdField: string;
  readonly #isEav: boolean;
  readonly #isAutoNumbered: boolean;
  readonly #minLength: number;

  /** @param fields the data dictionary in its own order */
  constructor(fields: readonly Field[], request: ImportRequest, recordIdMinLength = RECORD_ID_MIN_LENGTH) {
    const dictionary = new DataDictionary(fields);
    this.#columns = columnChecks(dictionary, request);
    this.#isEav = request.type === 'eav';
    this.#recordIdField = this.#isEav ? 'record' : (dictionary.recordIdField?.name ?? 'record_id');
    this.#isAutoNumbered = request.forceAutoNumber === true;
    this.#minLength = recordIdMinLength;
  }

  /**
   * @param position the row's number in the input, from 1
   * @returns the row as it is sent; undefined when nothing of it is, or when something is wrong, which `problems` then tells
   */
  check(row: SentRow, position: number, problems: ProblemList): CheckedRow | undefined {
    const before = problems.problems.length;
    const record = Object.hasOwn(row, this.#recordIdField) ? toText(row[this.#recordIdField]) : '';
    this.#checkRecordId(record ?? '', position, problems);
    const cells = this.#isEav
      ? this.#eavCells(row, record ?? '', position, problems)
      : this.#flatCells(row, record ?? '', position, problems);
    if (problems.problems.length > before || cells === undefined || problems.isFull) return undefined;
    return {
      record: record ?? '',
      json: JSON.stringify(cells),
      isNewInstance: cells['redcap_repeat_instance'] === 'new',
    };
  }

  #checkRecordId(record: string, position: number, problems: ProblemList): void {
    const where = `(record number ${position} of the body)`;
    if (record === '') problems.add('', this.#recordIdField, `must not be empty ${where}`);
    else if (!this.#isAutoNumbered && !isRecordId(record, this.#minLength)) {
      problems.add(record, this.#recordIdField, `${recordIdRule(this.#minLength)} ${where}`);
    }
  }

  #flatCells(row: SentRow, record: string, position: number, problems: ProblemList): Cells {
    const cells = emptyCells();
    const names = Object.keys(row);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const check = this.#columns.get(name);
      if (check === undefined) problems.addUnknownField(record, name, position, index);
      else if (name === this.#recordIdField) cells[name] = record;
      else if (!check.isDropped) {
        const value = this.#checkedValue(row[name], name, check, record, problems);
        if (value !== undefined) cells[name] = value;
      }
    }
    return cells;
  }

  /** @see protocol reference 5.3 (doc) */
  #eavCells(row: SentRow, record: string, position: number, problems: ProblemList): Cells | undefined {
    const cells = emptyCells();
    cells['record'] = record;
    for (const [index, name] of Object.keys(row).entries()) {
      if (name === 'record' || name === 'field_name' || name === 'value') continue;
      const check = EAV_STRUCTURE.has(name) ? this.#columns.get(name) : undefined;
      if (check === undefined) problems.addUnknownField(record, name, position, index);
      else cells[name] = this.#checkedValue(row[name], name, check, record, problems) ?? '';
    }
    const fieldName = Object.hasOwn(row, 'field_name') ? toText(row['field_name']) : '';
    const check = EAV_STRUCTURE.has(fieldName ?? '') ? undefined : this.#columns.get(fieldName ?? '');
    if (fieldName === undefined || check === undefined) {
      problems.add(
        record,
        'field_name',
        `must be a field of the project (record number ${position} of the body)`,
      );
      return undefined;
    }
    if (!Object.hasOwn(row, 'value')) {
      problems.add(record, 'value', `is missing (record number ${position} of the body)`);
      return undefined;
    }
    if (check.isDropped) return undefined;
    cells['field_name'] = fieldName;
    cells['value'] = this.#checkedValue(row['value'], fieldName, check, record, problems) ?? '';
    return cells;
  }

  #checkedValue(
    sent: CellValue | undefined,
    field: string,
    check: ColumnCheck,
    record: string,
    problems: ProblemList,
  ): string | undefined {
    const value = toText(sent);
    const rule = value === undefined ? INEXACT : check.ruleBrokenBy(value);
    if (rule === undefined) return value;
    problems.add(record, field, rule);
    return undefined;
  }
}

type Cells = Record<string, string>;

/** Without a prototype: a column may have any name (IN-04). */
function emptyCells(): Cells {
  return Object.create(null) as Cells;
}

/** The value as REDCap writes it; undefined for a number that JSON's reader has changed. */
function toText(value: CellValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

const INEXACT = 'must be sent as a string: it has more digits than a JSON number keeps';
const EAV_STRUCTURE = new Set([
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
]);

import { say } from '../../domain/errors/sentences.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { checkboxColumnName } from '../../domain/dictionary/export-column.js';
import { describeChoice, oneOf } from '../../domain/dictionary/value-rules.js';
import { checkedValue, isBlank, textOf, toText, type Cells } from './cell-values.js';
import { STRUCTURE, type ColumnChecks } from './column-checks.js';
import type { ImportRemarks } from './import-remarks.js';
import type { CellValue, InputRow } from './input-item.js';
import type { ProblemList } from './problem-list.js';
import { meantBy, type UnknownColumns } from './unknown-columns.js';

/**
 * Checks rows of EAV, which have one value each: record, field name and value.
 *
 * @see docs/protocol/redcap.md 5.3 (doc)
 */
export class EavCells {
  constructor(
    private readonly dictionary: DataDictionary,
    private readonly columns: ColumnChecks,
    private readonly unknown: UnknownColumns,
    private readonly remarks: ImportRemarks,
  ) {}

  /** @returns the cells to send; undefined if there is a problem, or if the field is not sent */
  of({ row, columns }: InputRow, record: string, problems: ProblemList): Cells | undefined {
    const report = { problems, remarks: this.remarks };
    const cells: Cells = {};
    cells['record'] = record;
    for (const [index, name] of columns.entries()) {
      if (name === 'record' || name === 'field_name' || name === 'value') continue;
      const check = IS_STRUCTURE.has(name) ? this.columns.get(name) : undefined;
      if (check === undefined) this.unknown.tell(name, index, problems);
      else cells[name] = checkedValue(row[name], check, report) ?? '';
    }
    const sent = textOf(row, 'field_name') ?? '';
    const given = Object.hasOwn(row, 'value') ? row['value'] : undefined;
    const [field, value] = this.#asColumn(sent, given);
    const check = IS_STRUCTURE.has(field) ? undefined : this.columns.get(field);
    if (!Object.hasOwn(row, 'value')) problems.add('value', say('missing'));
    if (check === undefined) this.#reportUnknownField(sent, given, problems);
    else if (check.ignored !== undefined) this.remarks.ignore(field, check.ignored, isBlank(value));
    else {
      cells['field_name'] = field;
      cells['value'] = checkedValue(value, check, report) ?? '';
      if (field === this.dictionary.recordIdField?.name && cells['value'] !== record)
        problems.add(field, say('record_of_row'));
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
    const field = this.dictionary.field(name);
    if (field?.type !== 'checkbox') return [name, value];
    const text = toText(value) ?? '';
    const codes = this.columns.areLabels ? this.columns.labelsOf(field).codesOf(text) : [text];
    const column = checkboxColumnName(name, codes.length === 1 ? (codes[0] ?? '') : '');
    return this.columns.get(column) === undefined ? [name, value] : [column, true];
  }

  #reportUnknownField(name: string, value: CellValue | undefined, problems: ProblemList): void {
    const field = this.dictionary.field(name);
    if (field?.type === 'checkbox' && this.columns.areLabels) {
      const labels = this.columns.labelsOf(field);
      const codes = labels.codesOf(toText(value) ?? '');
      const turned = labels.choices.map(({ code, label }) => ({ code: label, label: code }));
      problems.add(name, codes.length > 1 ? say('label_ambiguous', { codes }) : oneOf(turned));
      return;
    }
    if (field?.type === 'checkbox') {
      const choices = this.dictionary.choices(field).slice(0, MAX_CODES).map(describeChoice);
      problems.add(name, say('choice_code', { choices }));
      return;
    }
    problems.add('field_name', say('unknown_field'), meantBy(this.unknown.nearest(name)));
  }
}

const IS_STRUCTURE: ReadonlySet<string> = new Set(STRUCTURE);
const MAX_CODES = 8;

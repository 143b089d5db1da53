import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { compareValues } from '../../logic/values.js';
import type { FieldCheck, FormChecks } from './form-checks.js';
import type { QualityFinding, QualityRule } from './quality-finding.js';
import { textOf, type RecordView, type ViewedRow } from './record-view.js';

/** Checks the rows of one record, field by field on all forms that were begun, in export order. */
export function* checkRecord(
  view: RecordView,
  forms: readonly FormChecks[],
  structure: ProjectStructure,
): Generator<QualityFinding, void, undefined> {
  for (const row of view.rows) {
    const present = new Set(view.instrumentsOn(row));
    for (const form of forms) {
      if (present.has(form.instrument)) yield* checkForm(view, row, form, structure);
    }
  }
}

type Report = (field: string, rule: QualityRule, message: string) => QualityFinding;

function* checkForm(
  view: RecordView,
  row: ViewedRow,
  { instrument, fields }: FormChecks,
  structure: ProjectStructure,
): Generator<QualityFinding, void, undefined> {
  const idField = structure.dictionary.recordIdField?.name;
  const statusColumn = formStatusName(instrument);
  const status = textOf(row.values, statusColumn);
  const own = fields.filter(({ field }) => field.name !== idField);
  const hasContent = own.some((check) => check.field.type !== 'calc' && hasValue(check, row));
  // A form that was never begun has no values, which is not a fault.
  if (!hasContent && (status === '' || status === '0')) return;

  const scope = view.scopeOf(row);
  const instance = row.instance === 0 ? null : row.instance;
  const report: Report = (field, rule, message) => ({
    record: view.id,
    event: row.event,
    instrument,
    instance,
    field,
    rule,
    message,
  });
  let isRequiredEmpty = false;
  for (const check of own) {
    const isShown = check.field.branchingLogic.trim() === '' ? true : check.isShown?.isTrue(scope);
    yield* checkValues(check, row, structure, report);
    if (isShown === false) yield* checkHidden(check, row, report);
    if (isShown === true && check.field.isRequired && !hasValue(check, row)) {
      isRequiredEmpty = true;
      yield report(check.field.name, 'required_empty', 'is required and empty');
    }
    const value = isShown === true ? check.calculation?.value(scope) : undefined;
    if (value !== undefined && !compareValues('=', value, textOf(row.values, check.field.name))) {
      yield report(check.field.name, 'stale_calculation', 'differs from what its inputs give now');
    }
  }
  const contradiction = contradictionOf(status, hasContent, isRequiredEmpty);
  if (contradiction !== undefined && own.length > 0) {
    yield report(statusColumn, 'contradicting_status', contradiction);
  }
}

function* checkValues(
  { columns }: FieldCheck,
  { values }: ViewedRow,
  { dictionary, missingDataCodes }: ProjectStructure,
  report: Report,
): Generator<QualityFinding, void, undefined> {
  for (const { name } of columns) {
    const value = textOf(values, name);
    if (value === '' || missingDataCodes.has(value)) continue;
    const invalid = dictionary.validateValue(name, value);
    if (invalid !== undefined) yield report(name, 'invalid_value', invalid);
    const range = invalid === undefined ? dictionary.validateRange(name, value) : undefined;
    if (range !== undefined) yield report(name, 'out_of_range', range);
  }
}

function* checkHidden(
  { field, columns }: FieldCheck,
  { values }: ViewedRow,
  report: Report,
): Generator<QualityFinding, void, undefined> {
  // REDCap keeps the last result of a calculated field that is hidden.
  if (field.type === 'calc') return;
  for (const { name, choice } of columns) {
    const value = textOf(values, name);
    const isChecked = choice === undefined ? value !== '' : value === '1';
    if (isChecked) yield report(name, 'hidden_value', 'has a value, though its branching logic hides it');
  }
}

/** Returns whether a field has a value. A checkbox has one if any choice is checked, or a missing data code. */
export function hasValue({ columns, missingColumns }: FieldCheck, { values }: ViewedRow): boolean {
  if (missingColumns.some((name) => textOf(values, name) === '1')) return true;
  return columns.some(({ name, choice }) => {
    const value = textOf(values, name);
    return choice === undefined ? value !== '' : value !== '' && value !== '0';
  });
}

function contradictionOf(status: string, hasContent: boolean, isRequiredEmpty: boolean): string | undefined {
  if (status === '' && hasContent) return 'is blank, though the form has values';
  if (status === '2' && !hasContent) return 'says complete, though the form is empty';
  if (status === '2' && isRequiredEmpty) return 'says complete, though required fields are empty';
  return undefined;
}

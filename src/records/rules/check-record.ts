import { say, type Sentence } from '../../domain/errors/sentences.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { LogicScope } from '../../domain/logic/evaluator.js';
import { compareValues, type LogicValue } from '../../domain/logic/values.js';
import type { FieldCheck, FormChecks } from './form-checks.js';
import type { QualityFinding, QualityRule } from './quality-finding.js';
import { textOf, type RecordView, type ViewedRow } from './record-view.js';

/**
 * Checks the rows of one record, field by field on all forms that were begun.
 *
 * @returns findings in export order
 */
export function checkRecord(
  view: RecordView,
  forms: readonly FormChecks[],
  structure: ProjectStructure,
): readonly QualityFinding[] {
  const findings: QualityFinding[] = [];
  for (const row of view.rows) {
    const present = new Set(view.instrumentsOn(row));
    for (const form of forms) {
      if (present.has(form.instrument)) checkForm(view, row, form, structure, findings);
    }
  }
  return findings;
}

type Report = (field: string, rule: QualityRule, sentence: Sentence) => void;

// Most values are valid, so that no function called for each value creates an object.
function checkForm(
  view: RecordView,
  row: ViewedRow,
  { instrument, statusColumn, fields }: FormChecks,
  structure: ProjectStructure,
  findings: QualityFinding[],
): void {
  const idField = structure.dictionary.recordIdField;
  const status = textOf(row.values, statusColumn);
  const own = fields[0]?.field === idField ? fields.slice(1) : fields;
  const hasContent = own.some((check) => !check.isCalculated && hasValue(check, row));
  // A form that was never begun has no values, which is not a fault.
  if (!hasContent && (status === '' || status === '0')) return;

  const scope = view.scopeOf(row);
  const instance = row.instance === 0 ? null : row.instance;
  const report: Report = (field, rule, sentence) => {
    findings.push({ record: view.id, event: row.event, instrument, instance, field, rule, ...sentence });
  };
  let isRequiredEmpty = false;
  for (const check of own) {
    const isShown = isShownOn(check, scope);
    checkValues(check, row, structure, report);
    if (isShown === false) checkHidden(check, row, report);
    if (isShown === true && check.field.isRequired && !hasValue(check, row)) {
      isRequiredEmpty = true;
      report(check.field.name, 'required_empty', say('required_empty'));
    }
    const value = isShown === true ? check.calculation?.value(scope) : undefined;
    if (value !== undefined && !isSameResult(value, textOf(row.values, check.field.name)))
      report(check.field.name, 'stale_calculation', say('stale_calculation'));
  }
  const contradiction = contradictionOf(status, hasContent, isRequiredEmpty);
  if (contradiction !== undefined && own.length > 0)
    report(statusColumn, 'contradicting_status', contradiction);
}

/**
 * Returns whether a stored result is the calculated one. Numbers may differ beyond their twelfth digit: 0.1 + 0.2 is a
 * little more than 0.3 in binary, and PHP writes fewer digits of it than a browser.
 */
function isSameResult(calculated: LogicValue, stored: string): boolean {
  if (typeof calculated !== 'number' || stored.trim() === '') return compareValues('=', calculated, stored);
  const number = Number(stored.replace(',', '.')); // a very small or large one has an exponent
  return Math.abs(calculated - number) <= 1e-12 * Math.abs(calculated);
}

function checkValues(
  { columns }: FieldCheck,
  { values }: ViewedRow,
  { missingDataCodes }: ProjectStructure,
  report: Report,
): void {
  for (const { name, rule } of columns) {
    const value = textOf(values, name);
    if (value === '' || rule === undefined || missingDataCodes.has(value)) continue;
    const invalid = rule.validate(value);
    if (invalid !== undefined) report(name, 'invalid_value', invalid);
    const range = invalid === undefined ? rule.validateRange(value) : undefined;
    if (range !== undefined) report(name, 'out_of_range', range);
  }
}

function checkHidden({ isCalculated, columns }: FieldCheck, { values }: ViewedRow, report: Report): void {
  // REDCap keeps the last result of a calculated field that is hidden.
  if (isCalculated) return;
  for (const { name, choice } of columns) {
    const value = textOf(values, name);
    const isChecked = choice === undefined ? value !== '' : value === '1';
    if (isChecked) report(name, 'hidden_value', say('hidden_value'));
  }
}

/** Returns whether a form shows a field; undefined if its branching logic cannot be evaluated. */
export function isShownOn({ isAlwaysShown, isShown }: FieldCheck, scope: LogicScope): boolean | undefined {
  return isAlwaysShown ? true : isShown?.isTrue(scope);
}

/** Returns whether a field has a value. A checkbox has one if any choice is checked, or a missing data code. */
export function hasValue({ columns, missingColumns }: FieldCheck, { values }: ViewedRow): boolean {
  for (const name of missingColumns) if (textOf(values, name) === '1') return true;
  for (const { name, choice } of columns) {
    const value = textOf(values, name);
    if (value !== '' && (choice === undefined || value !== '0')) return true;
  }
  return false;
}

function contradictionOf(
  status: string,
  hasContent: boolean,
  isRequiredEmpty: boolean,
): Sentence | undefined {
  if (status === '' && hasContent) return say('status_blank');
  if (status === '2' && !hasContent) return say('complete_but_empty');
  if (status === '2' && isRequiredEmpty) return say('complete_without_required');
  return undefined;
}

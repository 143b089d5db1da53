import { say } from '../../domain/errors/sentences.js';
import { withoutBlanks } from '../../domain/dictionary/spreadsheet-damage.js';
import { describeChoice } from '../../domain/dictionary/value-rules.js';
import type { ColumnCheck } from './column-checks.js';
import type { CellValue, SentRow } from './input-item.js';
import type { ProblemList } from './problem-list.js';
import type { ImportRemarks } from './import-remarks.js';

/** Returns the value in REDCap's form; undefined for a number that lost precision when JSON was parsed. */
export function toText(value: CellValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

/** Returns the value of a column in REDCap's form; undefined if the row does not have it, or not exactly. */
export function textOf(row: SentRow, name: string): string | undefined {
  return Object.hasOwn(row, name) ? toText(row[name]) : undefined;
}

export function isBlank(value: CellValue | undefined): boolean {
  return value === '' || value === null || value === undefined;
}

/** Where the problem or the warning about a value goes. */
export interface ValueReport {
  readonly problems: ProblemList;
  readonly remarks: ImportRemarks;
}

/**
 * Returns the value as REDCap stores it, and reports what is unusual about it.
 *
 * @returns undefined if it breaks the rule of its column, which is then reported
 */
export function checkedValue(
  sent: CellValue | undefined,
  check: ColumnCheck,
  { problems, remarks }: ValueReport,
): string | undefined {
  const given = toText(sent);
  if (given === '') return given;
  if (given === undefined) {
    problems.add(check.name, say('inexact_number'));
    return undefined;
  }
  const text = check.blanks === undefined ? given : withoutBlanks(given);
  if (check.blanks !== undefined && text !== given) remarks.warn(check.blanks);
  if (text === '') return text;
  // True and false are codes, also where values are labels.
  const isCode = typeof sent === 'boolean';
  const value = isCode ? text : (check.toStored?.(text) ?? text);
  const rule = (isCode ? undefined : check.refuses?.(text)) ?? check.ruleBrokenBy(value);
  if (rule === undefined) {
    const warning = check.warnAbout?.(value);
    if (warning !== undefined) remarks.warn(warning);
    return value;
  }
  const meant = check.suggest?.(value);
  if (meant !== undefined)
    problems.add(check.name, rule, {
      suggestion: meant.code,
      words: `; did you mean ${describeMeant(meant)}?`,
    });
  else {
    const hint = check.hint?.(text);
    problems.add(check.name, rule, hint && { hint });
  }
  return undefined;
}

function describeMeant(meant: { readonly code: string; readonly label: string }): string {
  const described = describeChoice(meant);
  return `"${meant.code}"${described.slice(meant.code.length)}`;
}

/** The cells of a row that is sent, by column; undefined for a column that is not sent. */
export type Cells = Record<string, string | undefined>;

/**
 * Returns the cells as JSON. Reports lone surrogates, which only JSON escapes can produce: REDCap would refuse the
 * whole call.
 */
export function jsonOf(cells: Cells, problems: ProblemList): string {
  const json = JSON.stringify(cells);
  if (json.includes('\\ud')) {
    for (const [name, value] of Object.entries(cells)) {
      if (value !== undefined && LONE_SURROGATE.test(value)) problems.add(name, say('half_surrogate'));
    }
  }
  return json;
}

const LONE_SURROGATE = /\p{Cs}/u;

import type { QualityFinding } from '../../records/rules/quality-finding.js';
import type { QualitySummary } from '../../services/quality/quality-report.js';
import { type Column, columnsOf, counted, toTable } from './table.js';

const COLUMNS: readonly Column<QualityFinding>[] = [
  ...columnsOf<QualityFinding>('record', 'event', 'instance', 'field'),
  { title: 'finding', cell: ({ message }) => message },
];

/**
 * @returns the findings as a table without empty columns, such as events in a classic project; empty without findings
 */
export function toFindingsTable(findings: readonly QualityFinding[], width?: number): string {
  const columns = COLUMNS.filter(({ cell }) => findings.some((finding) => cell(finding) !== ''));
  return findings.length === 0 ? '' : toTable(findings, columns, width);
}

/** @returns the number of checked records, and one line per rule with findings, most frequent first */
export function summaryOfFindings({ records, rules }: QualitySummary): string {
  const counts = Object.entries(rules)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const width = String(counts[0]?.[1] ?? '').length;
  const lines = counts.map(([rule, count]) => `  ${String(count).padStart(width)}  ${rule}\n`);
  return `${counted(records, 'record')} checked${lines.length === 0 ? '.' : ':'}\n${lines.join('')}`;
}

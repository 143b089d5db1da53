import type { QualityFinding } from '../../records/rules/quality-finding.js';
import { toTable, type Column } from './table.js';

const COLUMNS: readonly Column<QualityFinding>[] = [
  { title: 'record', cell: ({ record }) => record },
  { title: 'event', cell: ({ event }) => event },
  { title: 'instance', cell: ({ instance }) => (instance === null ? '' : String(instance)) },
  { title: 'field', cell: ({ field }) => field },
  { title: 'finding', cell: ({ message }) => message },
];

/**
 * @returns the findings as a table without empty columns, such as events in a classic project; empty without findings
 */
export function toFindingsTable(findings: readonly QualityFinding[], width?: number): string {
  const columns = COLUMNS.filter(({ cell }) => findings.some((finding) => cell(finding) !== ''));
  return findings.length === 0 ? '' : toTable(findings, columns, width);
}

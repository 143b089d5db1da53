import type { QualitySummary } from '../../services/quality/quality-tally.js';
import { counted } from './counted.js';

/** @returns the number of checked records, and one line per rule with findings, most frequent first */
export function summaryOfFindings({ records, rules }: QualitySummary): string {
  const counts = Object.entries(rules)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const width = String(counts[0]?.[1] ?? '').length;
  const lines = counts.map(([rule, count]) => `  ${String(count).padStart(width)}  ${rule}\n`);
  return `${counted(records, 'record')} checked${lines.length === 0 ? '.' : ':'}\n${lines.join('')}`;
}

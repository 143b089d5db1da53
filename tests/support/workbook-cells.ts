import { readFileSync } from 'node:fs';
import { readSheet } from '../../src/records/import/workbook/read-sheet.js';
import { COMMAND_LIMITS } from '../../src/records/import/workbook/workbook-limits.js';

/** Returns the cells of a sheet of a workbook as texts, the first sheet by default. The header comes first. */
export function cellsOf(path: string, sheet?: string): readonly (readonly string[])[] {
  const { names, lines } = readSheet(readFileSync(path), { sheet }, COMMAND_LIMITS, () => undefined);
  const rows = Buffer.concat(lines).toString().split('\n').slice(0, -1);
  const cells = rows.map((row) => JSON.parse(row || '[]') as string[]);
  return [names, ...cells.map((row) => names.map((_, at) => row[at] ?? ''))];
}

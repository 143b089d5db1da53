import type { SqlDatabase } from '../sql-database.js';
import { describeCopy } from './described-table.js';
import { printR } from './r.js';
import { printSpss } from './spss.js';

/** Returns the files with which statistics programs read the CSV files of a copy, by their names. */
export async function syntaxFiles(db: SqlDatabase): Promise<ReadonlyMap<string, string>> {
  const copy = await describeCopy(db);
  return new Map([
    ['read.R', printR(copy)],
    ['read.sps', printSpss(copy)],
  ]);
}

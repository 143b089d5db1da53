import type { SqlDatabase } from '../sql-database.js';
import { describeCopy } from './described-table.js';
import { r } from './r.js';
import { sas } from './sas.js';
import { spss } from './spss.js';
import { stata } from './stata.js';

/** Returns the files with which statistics programs read the CSV files of a copy, by their names. */
export async function syntaxFiles(db: SqlDatabase): Promise<ReadonlyMap<string, string>> {
  const copy = await describeCopy(db);
  return new Map([r, spss, stata, sas].map(({ file, print }) => [file, print(copy)]));
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDump } from './cells.js';
import type { Reader } from './readers.js';

/**
 * Installs DuckDB into a folder. Its extension for SQLite files is not in the package: it would be fetched from DuckDB's
 * own server.
 *
 * @returns its readers
 */
export function duckDb(folder: string): readonly Reader[] {
  mkdirSync(folder);
  const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, '@duckdb/node-api'];
  execFileSync('npm', npm, { stdio: ['ignore', 'ignore', 'inherit'] });
  const script = join(folder, 'read.mjs');
  copyFileSync(fileURLToPath(new URL('read-duckdb.mjs', import.meta.url)), script);
  return (['csv', 'parquet'] as const).map((target) => ({
    name: `DuckDB, ${target}`,
    target,
    read: (places) =>
      readDump(
        execFileSync(process.execPath, [script, target, ...places], { encoding: 'utf8', maxBuffer: 2 ** 30 }),
      ),
  }));
}

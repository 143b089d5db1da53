import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import { heard } from '../domain/bytes/heard.js';
import { rowBytes } from '../records/formats/row-bytes.js';
import { quoted, type Cell, type SqlColumn, type SqlDatabase, type TableRows } from './sql-database.js';
import { syntaxFiles } from './syntax/syntax-files.js';

export type FolderFormat = 'csv' | 'parquet';

/** The SQLite copy in the folder, from which the files are written. */
export const FOLDER_DATABASE = '_copy.db';
const MANIFEST = 'manifest.json';
const PAGE = 2000;

/** The names are those of files in the folder: what is no longer a table is removed. */
const Manifest = z.object({
  format: z.enum(['csv', 'parquet']),
  updatedAt: z.string(),
  files: z.record(
    z.string().regex(/^\w[\w.-]*$/),
    z.object({ rows: z.number(), bytes: z.number(), version: z.string() }),
  ),
});
type Manifest = z.infer<typeof Manifest>;

/**
 * Makes the folder of a copy, readable by its owner only.
 *
 * @throws {CopyStoppedError} it has files of somebody else, another manifest, or a copy in another format
 */
export async function prepareFolder(folder: string, format: FolderFormat): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.length > 0 && !names.some((name) => name.startsWith(FOLDER_DATABASE)))
    throw new CopyStoppedError('The folder has files that are not of crf sync. Choose an empty one.');
  const before = await readManifest(folder);
  if (before !== undefined && before.format !== format)
    throw new CopyStoppedError(`The folder holds a copy as ${before.format}. Choose another one.`);
}

/**
 * Writes the tables that have changed as files, and beside CSV those with which statistics programs read it: each beside
 * the old one, then all of them in its place, the manifest last. A killed run leaves an older manifest, so that the next
 * one writes them again.
 */
export async function writeFolder(db: SqlDatabase, folder: string, format: FolderFormat): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith('.part') && !name.startsWith(FOLDER_DATABASE)) await rm(join(folder, name));
  const before = (await readManifest(folder))?.files ?? {};
  const { files, written } = await writeTables(db, folder, format, before);
  const isSame = written.length === 0 && Object.keys(before).every((file) => file in files);
  if (format === 'csv' && !(isSame && existsSync(join(folder, 'read.R'))))
    written.push(...(await writeSyntax(db, folder)));
  for (const file of written) await rename(join(folder, `${file}.part`), join(folder, file));
  if (isSame && existsSync(join(folder, MANIFEST))) return;
  const manifest: Manifest = { format, updatedAt: new Date().toISOString(), files };
  const part = join(folder, `${MANIFEST}.part`);
  await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(part, join(folder, MANIFEST));
  for (const file of Object.keys(before)) if (!(file in files)) await rm(join(folder, file), { force: true });
}

/** @returns what the manifest says of all files, and the names of those that were written as `.part` */
async function writeTables(
  db: SqlDatabase,
  folder: string,
  format: FolderFormat,
  before: Manifest['files'],
): Promise<{ readonly files: Manifest['files']; readonly written: string[] }> {
  const versions = await db.all("SELECT name, value FROM _sync WHERE name LIKE 'version %'");
  const versionOf = new Map(versions.map(({ name, value }) => [`${name}`.slice(8), `${value}`]));
  const files: Record<string, { rows: number; bytes: number; version: string }> = {};
  const written: string[] = [];
  for (const table of await db.tables()) {
    if (table === '_sync') continue;
    const [version, file, lines] = [versionOf.get(table) ?? '', `${table}.${format}`, `${table}.lines.csv`];
    const own = Object.entries(before).filter(([name]) => name === file || name === lines);
    if (
      own.length > 0 &&
      own.every(([name, { version: old }]) => old === version && existsSync(join(folder, name)))
    ) {
      Object.assign(files, Object.fromEntries(own));
      continue;
    }
    const add = async (name: string, isOnLines: boolean): Promise<boolean> => {
      const part = join(folder, `${name}.part`);
      const { rows, hasBreaks } = await writeTable(db, table, part, { format, isOnLines });
      files[name] = { rows, bytes: (await stat(part)).size, version };
      written.push(name);
      return hasBreaks;
    };
    const hasBreaks = await add(file, false);
    if (hasBreaks && format === 'csv' && !table.startsWith('_')) await add(lines, true);
  }
  return { files, written };
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (cause) {
    const message = `The ${MANIFEST} of the folder is not as crf sync writes it. Delete it, and every file is written again.`;
    throw new CopyStoppedError(message, { cause });
  }
}

/** Writes the files that read the CSV files, as `.part`. @returns the names of those that differ from before */
async function writeSyntax(db: SqlDatabase, folder: string): Promise<string[]> {
  const written: string[] = [];
  for (const [name, text] of await syntaxFiles(db)) {
    if ((await readFile(join(folder, name), 'utf8').catch(() => undefined)) === text) continue;
    await writeFile(join(folder, `${name}.part`), text, { mode: 0o600, flag: 'wx', flush: true });
    written.push(name);
  }
  return written;
}

async function writeTable(
  db: SqlDatabase,
  table: string,
  path: string,
  { format, isOnLines }: { readonly format: FolderFormat; readonly isOnLines: boolean },
): Promise<{ readonly rows: number; readonly hasBreaks: boolean }> {
  const columns = (await db.columns(table)).filter(({ name }) => !OWN_COLUMNS.has(`${table}.${name}`));
  const seen = { rows: 0, hasBreaks: false };
  const rows = watched(rowsOf(db, table, columns), seen, isOnLines);
  if (format === 'csv') {
    const names = columns.map(({ name }) => name);
    await pipeline(
      rowBytes(rows, { format, columns: names }),
      heard(createWriteStream(path, { mode: 0o600, flags: 'wx' })),
    );
  } else {
    await writeFile(path, '', { mode: 0o600, flag: 'wx' });
    const { default: writeParquet } = await import('./parquet-file.js');
    await writeParquet(path, columns, rows);
  }
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
  return seen;
}

/** What the engine remembers of a record is nobody else's. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['_records.hash', '_records.swept']);

/** Reads a table in the order of its key, a page at a time. */
async function* rowsOf(
  db: SqlDatabase,
  table: string,
  columns: readonly (SqlColumn & { readonly isKey: boolean })[],
): AsyncGenerator<Record<string, Cell>> {
  const all = columns.map(({ name }) => quoted(name)).join(', ');
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const order = (keys.length > 0 ? keys : columns.map(({ name }) => name)).map(quoted).join(', ');
  const after = `WHERE (${order}) > (${keys.map(() => '?').join(', ')})`;
  for (let last: Cell[] | undefined; ;) {
    const where = last === undefined ? '' : after;
    const limit = keys.length > 0 ? `LIMIT ${PAGE}` : '';
    const rows = await db.all(
      `SELECT ${all} FROM ${quoted(table)} ${where} ORDER BY ${order} ${limit}`,
      last ?? [],
    );
    yield* rows;
    if (keys.length === 0 || rows.length < PAGE) return;
    last = keys.map((name) => rows.at(-1)?.[name] ?? null);
  }
}

/** Counts rows, and looks for line breaks in their values; `isOnLines` puts spaces in their place. */
async function* watched(
  rows: TableRows,
  seen: { rows: number; hasBreaks: boolean },
  isOnLines: boolean,
): AsyncGenerator<Readonly<Record<string, Cell>>> {
  for await (const row of rows) {
    seen.rows += 1;
    const isBroken = hasBreak(row);
    seen.hasBreaks ||= isBroken;
    yield isBroken && isOnLines ? onOneLine(row) : row;
  }
}

function hasBreak(row: Readonly<Record<string, Cell>>): boolean {
  for (const name in row) if (/[\r\n]/.test(`${row[name] ?? ''}`)) return true;
  return false;
}

function onOneLine(row: Readonly<Record<string, Cell>>): Record<string, Cell> {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === 'string' ? cell.replace(/[\r\n]+/g, ' ') : cell,
  ]);
  return Object.fromEntries(cells) as Record<string, Cell>;
}

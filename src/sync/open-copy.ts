import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import type { EngineState } from './change-store.js';
import { FOLDER_DATABASE, prepareFolder, writeFolder } from './folder-files.js';
import { PostgresDatabase } from './postgres-database.js';
import { SqlCopy, type CopyOptions } from './sql-copy.js';
import type { SqlDatabase } from './sql-database.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Where a copy is kept. */
export interface CopyTarget {
  readonly kind: 'sqlite' | 'csv' | 'parquet' | 'postgres';
  /** A file, a folder or an address. */
  readonly place: string;
}

/**
 * Opens a copy for writing, or begins one.
 *
 * @throws {CopyStoppedError} another process is writing it, or it is not such a copy
 */
export async function openCopy(target: CopyTarget, options: CopyOptions = {}): Promise<SqlCopy> {
  const database = await openDatabase(target, 'write');
  try {
    return await SqlCopy.in(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What is known of a copy without REDCap. */
export interface CopyStatus {
  readonly state: EngineState;
  /** When the last look ended, as ISO 8601 in UTC. */
  readonly updatedAt: string;
  readonly records: number;
  readonly changes: number;
  readonly issues: number;
  readonly bytes: number;
}

/** Returns how current a copy is, without writing anything. @throws {CopyStoppedError} there is none */
export async function statusOfCopy(target: CopyTarget): Promise<CopyStatus> {
  const database = await openDatabase(target, 'read');
  const one = async (sql: string): Promise<unknown> => Object.values((await database.all(sql))[0] ?? {})[0];
  try {
    const state = (await database.tables()).includes('_sync')
      ? await one("SELECT value FROM _sync WHERE name = 'state'")
      : undefined;
    if (typeof state !== 'string') throw new CopyStoppedError('There is no complete copy yet: run crf sync.');
    return {
      state: JSON.parse(state) as EngineState,
      updatedAt: `${(await one("SELECT value FROM _sync WHERE name = 'updated'")) as string}`,
      records: Number(await one('SELECT count(*) FROM _records')),
      changes: Number(await one('SELECT count(*) FROM _changes')),
      issues: Number(await one('SELECT count(*) FROM _conversion_issues')),
      bytes: await database.bytes(),
    };
  } finally {
    await database.close();
  }
}

async function openDatabase({ kind, place }: CopyTarget, mode: 'read' | 'write'): Promise<SqlDatabase> {
  if (kind === 'postgres') return PostgresDatabase.open(place, mode);
  const file = kind === 'sqlite' ? place : join(place, FOLDER_DATABASE);
  if (mode === 'read' && !existsSync(file))
    throw new CopyStoppedError('There is no such copy yet: crf sync makes it.');
  if (kind === 'sqlite' && !existsSync(dirname(file)))
    throw new CopyStoppedError('There is no such folder for the copy: make it first.');
  if (kind === 'sqlite') return SqliteDatabase.open(file, mode);
  if (mode === 'write') await prepareFolder(place, kind);
  return SqliteDatabase.open(file, mode, (db) => writeFolder(db, place, kind));
}

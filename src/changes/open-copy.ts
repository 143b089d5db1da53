import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CopyStoppedError } from '../errors/caller-errors.js';
import { FOLDER_DATABASE, prepareFolder, writeFolder } from './folder-files.js';
import { PostgresDatabase } from './postgres-database.js';
import { SqlCopy, type CopyOptions, type CopyStatus } from './sql-copy.js';
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

/** Returns how current a copy is. @throws {CopyStoppedError} there is none */
export async function statusOfCopy(target: CopyTarget): Promise<CopyStatus> {
  const database = await openDatabase(target, 'read');
  try {
    return await SqlCopy.statusOf(database);
  } finally {
    await database.close();
  }
}

async function openDatabase({ kind, place }: CopyTarget, mode: 'read' | 'write'): Promise<SqlDatabase> {
  if (kind === 'postgres') return PostgresDatabase.open(place, mode);
  const file = kind === 'sqlite' ? place : join(place, FOLDER_DATABASE);
  if (mode === 'read' && !existsSync(file))
    throw new CopyStoppedError('There is no such copy yet: crf sync makes it.');
  if (kind === 'sqlite') return SqliteDatabase.open(file, mode);
  if (mode === 'write') await prepareFolder(place, kind);
  return SqliteDatabase.open(file, mode, (db) => writeFolder(db, place, kind));
}

import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { seal } from '../../domain/crypto/sealed-text.js';
import type { RowRange } from '../../domain/errors/upstream-errors.js';
import type { Secret } from '../../domain/identifiers/secret.js';
import type { ImportJournal, JournalStep } from '../../records/import/import-journal.js';
import type { UndoHeader, UndoLine, UndoSubject } from '../../records/undo/undo-lines.js';
import { unwritableFile } from './refused-file.js';
import { keyOf, purposeOf, type UndoJournal } from './undo-journal.js';

/**
 * Writes an undo file while an import runs: what each call is about to replace, on the disk before the call is made, and
 * which calls REDCap has confirmed. Only its owner can read it, and its lines are encrypted if there is a key. It does
 * not exist before there is something to undo.
 */
export class UndoFile implements ImportJournal {
  #file: Promise<FileHandle> | undefined;
  #written: Promise<void> = Promise.resolve();
  #isGivenUp = false;
  /** The rows that were confirmed before there was something to undo. */
  readonly #early: RowRange[] = [];

  private constructor(
    readonly path: string,
    private readonly header: UndoHeader,
    private readonly key: Buffer | undefined,
    private readonly isOptional: boolean,
    private lines = 0,
    private bytes = 0,
    private readonly isContinued = false,
  ) {}

  /** @param isOptional whether an import goes on if the token may not read what it replaces */
  static create(
    path: string,
    subject: UndoSubject,
    key: Secret | undefined,
    { isOptional }: { readonly isOptional: boolean },
  ): UndoFile {
    const header = { crfUndo: 1, id: randomUUID(), isSealed: key !== undefined, ...subject } as const;
    return new UndoFile(path, header, keyOf(key), isOptional);
  }

  /** Continues the file of an import that did not end; a line that was not written to its end is dropped. */
  static async continue({ path, header, key, lines, bytes }: UndoJournal): Promise<UndoFile> {
    const file = new UndoFile(path, header, key, false, lines, bytes, true);
    const handle = await open(path, 'r+');
    await handle.truncate(bytes);
    file.#file = Promise.resolve(handle);
    return file;
  }

  /** Whether the file exists, with something to undo. */
  get exists(): boolean {
    return this.#file !== undefined;
  }

  /** Whether the import went on without it. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  async begin(step: JournalStep): Promise<void> {
    this.#file ??= create(this.path);
    if (this.lines === 0) void this.#append(JSON.stringify(this.header));
    for (const confirmed of this.#early.splice(0)) void this.#append(this.#encoded({ confirmed }));
    await this.#append(this.#encoded({ step }));
  }

  async confirm(rows: RowRange): Promise<void> {
    if (this.exists) await this.#append(this.#encoded({ confirmed: rows }));
    else this.#early.push(rows);
  }

  giveUp(error: unknown): void {
    if (!this.isOptional) throw error;
    this.#isGivenUp = true;
  }

  /** @param end how the import ended; undefined if it can be continued */
  async close(end: 'complete' | 'undone' | undefined): Promise<void> {
    const file = await this.#file;
    try {
      if (file !== undefined && end !== undefined) await this.#append(this.#encoded({ end }));
      await this.#written;
    } finally {
      await file?.close();
    }
  }

  /** Closes and removes the file of an import of which REDCap has stored nothing, unless an earlier run began it. */
  async discard(): Promise<void> {
    await this.close(undefined);
    if (this.exists && !this.isContinued) await unlink(this.path);
  }

  #encoded(line: UndoLine): string {
    const text = JSON.stringify(line);
    return this.key === undefined ? text : seal(this.key, purposeOf(this.header, this.lines), text);
  }

  /** Lines are written one after the other, each to the disk. */
  #append(text: string): Promise<void> {
    const line = Buffer.from(`${text}\n`);
    const at = this.bytes;
    this.lines++;
    this.bytes += line.length;
    this.#written = this.#written.then(async () => {
      const file = await this.#file;
      await file?.write(line, 0, line.length, at);
      await file?.datasync();
    });
    return this.#written;
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    throw unwritableFile('undo', cause);
  }
}

import { hkdfSync, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import * as z from 'zod';
import { seal, unseal } from '../../domain/crypto/sealed-text.js';
import type { RowRange } from '../../domain/errors/upstream-errors.js';
import type { Secret } from '../../domain/identifiers/secret.js';
import type { ImportJournal, JournalStep } from '../../records/import/import-journal.js';
import type { UndoHeader, UndoLine, UndoSubject } from '../../records/undo/undo-lines.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { byteLines, OtherFileError } from './byte-lines.js';
import { unreadableFile, unwritableFile } from './refused-file.js';

const HeaderLine: z.ZodType<UndoHeader> = z.strictObject({
  crfUndo: z.literal(1),
  id: z.string(),
  isSealed: z.boolean(),
  project: z.string(),
  input: z.string().optional(),
  options: z.string(),
  from: z.int().min(0),
});

const RANGE = { from: z.int().min(0), to: z.int().min(0) };
const Row = z.strictObject({
  event: z.string(),
  repeatInstrument: z.string(),
  instance: z.int().min(0),
  isNewInstance: z.boolean(),
  begun: z.array(z.string()),
  cells: z.array(z.tuple([z.string(), z.string()], z.string())),
});
const Record = z.strictObject({
  id: z.string().min(1),
  isNew: z.boolean(),
  group: z.tuple([z.string()], z.string()).optional(),
  rows: z.array(Row),
  unreadable: z.array(z.string()),
});
const JournalLine: z.ZodType<UndoLine> = z.union([
  z.strictObject({ step: z.strictObject({ ...RANGE, records: z.array(Record) }) }),
  z.strictObject({ confirmed: z.strictObject(RANGE) }),
  z.strictObject({ end: z.enum(['complete', 'undone']) }),
]);

export class UndoJournal {
  /** The steps in the order of the file, with the place of their lines. */
  readonly #steps: (RowRange & { readonly line: number; readonly at: number; readonly end: number })[] = [];
  readonly #confirmed: RowRange[] = [];
  /** The records of several steps. */
  readonly repeated = new Set<string>();
  /** How the import ended; undefined if it can be continued. */
  end: 'complete' | 'undone' | undefined;
  lines = 0;
  bytes = 0;

  private constructor(
    readonly path: string,
    readonly header: UndoHeader,
    readonly key: Buffer | undefined,
    private readonly file: FileHandle,
  ) {}

  /**
   * Reads the file once. Memory: the place of each step, and the ids of its records.
   *
   * @throws {InvalidRequestError} it cannot be read
   * @throws {CliError} it is not an undo file, was encrypted with another key, or not at all although there is one
   */
  static async open(path: string, secret: Secret | undefined): Promise<UndoJournal> {
    const file = await open(path, 'r').catch((cause: unknown) => {
      throw unreadableFile('file', cause);
    });
    try {
      let journal: UndoJournal | undefined;
      const seen = new Set<string>();
      let at = 0;
      for await (const { text, end } of byteLines(file)) {
        if (journal === undefined)
          journal = new UndoJournal(path, headerOf(path, text, secret), keyOf(secret), file);
        else journal.#add(journal.#decoded(text, journal.lines), { at, end }, seen);
        journal.lines++;
        journal.bytes = at = end;
      }
      if (journal === undefined) throw notUndoFile(path);
      return journal;
    } catch (error) {
      await file.close();
      throw error instanceof OtherFileError ? notUndoFile(path, error) : error;
    }
  }

  /** Yields what each call of the import changed, the last one first. */
  async *steps(): AsyncGenerator<JournalStep, void, undefined> {
    for (const place of this.#steps.toReversed()) yield await this.#read(place);
  }

  /**
   * Returns the index of the first row that has to be sent again, and the step there whose answer was lost, if there is
   * one.
   */
  async resumePoint(): Promise<{ readonly row: number; readonly doubt: JournalStep | undefined }> {
    let row = this.header.from;
    for (const { from, to } of this.#confirmed.toSorted((one, other) => one.from - other.from))
      if (from <= row) row = Math.max(row, to);
    const lost = this.#steps.find(({ from }) => from === row);
    return { row, doubt: lost && (await this.#read(lost)) };
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  #add(line: UndoLine, place: { readonly at: number; readonly end: number }, seen: Set<string>): void {
    if ('end' in line) this.end = line.end;
    else if ('confirmed' in line) this.#confirmed.push(line.confirmed);
    else {
      const { from, to, records } = line.step;
      this.#steps.push({ from, to, line: this.lines, ...place });
      for (const { id } of records) {
        if (seen.has(id)) this.repeated.add(id);
        seen.add(id);
      }
    }
  }

  async #read({ line, at, end }: { readonly line: number; readonly at: number; readonly end: number }) {
    const bytes = Buffer.alloc(end - at - 1);
    await this.file.read(bytes, 0, bytes.length, at);
    const decoded = this.#decoded(bytes.toString('utf8'), line);
    if (!('step' in decoded)) throw notUndoFile(this.path);
    return decoded.step;
  }

  #decoded(text: string, line: number): UndoLine {
    let plain: string | undefined = text;
    if (this.header.isSealed) {
      plain = this.key && unseal(this.key, purposeOf(this.header, line), text);
      if (plain === undefined)
        throw new CliError(
          `${this.path} is encrypted, and CRF_UNDO_KEY is not its key, or it was changed.`,
          EXIT_CODES.usage,
        );
    }
    try {
      return JournalLine.parse(JSON.parse(plain));
    } catch (cause) {
      const message = `${this.path} was changed: its line ${line + 1} is not as crf import writes it.`;
      throw new CliError(message, EXIT_CODES.usage, { cause });
    }
  }
}

function headerOf(path: string, text: string, secret: Secret | undefined): UndoHeader {
  let header: UndoHeader;
  try {
    header = HeaderLine.parse(JSON.parse(text));
  } catch (cause) {
    throw notUndoFile(path, cause);
  }
  // Whoever cannot make an encrypted file could otherwise have any values stored with one that is not.
  if (secret !== undefined && !header.isSealed)
    throw new CliError(
      `${path} is not encrypted, although CRF_UNDO_KEY is set: anybody may have changed it. If it was made without a key, run the command without CRF_UNDO_KEY.`,
      EXIT_CODES.usage,
    );
  return header;
}

function notUndoFile(path: string, cause?: unknown): CliError {
  return new CliError(`${path} is not an undo file of crf import.`, EXIT_CODES.usage, { cause });
}

/** No line can be moved to another place or another file, and none is read below a header that was changed. */
function purposeOf({ id, project, input, options, from }: UndoHeader, line: number): string {
  return JSON.stringify(['undo', line, id, project, input, options, from]);
}

function keyOf(secret: Secret | undefined): Buffer | undefined {
  return secret && Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'crf-service undo', 32));
}

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

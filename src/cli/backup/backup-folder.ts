import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import { decodeText } from '../../domain/bytes/decode-text.js';
import { heard } from '../../domain/bytes/heard.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { UsageError } from '../cli-error.js';
import { byteLines } from '../files/byte-lines.js';
import { NO_FOLLOW } from '../files/file-target.js';
import { Manifest as ManifestText, parseStored, StoredDocument as DocumentText } from './backup-schemas.js';

type Part = Manifest['parts'][number];
export type Manifest = z.infer<typeof ManifestText>;
/** A document in a backup; its path is its number in the folder of its list. */
export type StoredDocument = z.infer<typeof DocumentText>;

export const DOCUMENT_LISTS = [
  { list: 'files.ndjson', folder: 'files' },
  { list: 'repository.ndjson', folder: 'repository' },
] as const;

/** What a backup, or a restore, is run with. */
export interface BackupRun {
  readonly signal: AbortSignal;
  /** Called when a part begins, and with the number of rows or files of it so far. */
  readonly onProgress: (part: string, count: number) => void;
}

/** Not on Windows, which has no named pipes among its files. */
const WITHOUT_WAITING = (constants.O_NONBLOCK as number | undefined) ?? 0;
const MANIFEST = 'manifest.json';
/** Where the parts of a backup that is being made are until all of them are whole. */
const PENDING = '.part';

/**
 * The folder of a backup. Its parts are first written beside it, in `.part`, with the manifest last. Then all are moved
 * to their places; if the process ends meanwhile, whoever opens the folder next moves the rest. So a folder always has
 * one whole backup, the old or the new one.
 */
export class BackupFolder {
  readonly #parts: Part[] = [];
  #manifest: Manifest | undefined;

  private constructor(readonly path: string) {}

  /** The manifest of the last whole backup; undefined if there is none. */
  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  /** Opens a folder to write a backup, or creates it, readable by the user alone. @throws {CliError} it has other files */
  static async toWrite(path: string): Promise<BackupFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const names = await readdir(path);
    const isBackup = names.includes(MANIFEST) || names.includes(PENDING);
    if (!isBackup && names.some((name) => !name.startsWith('.')))
      throw new UsageError('The folder has files that are not of a backup: name a new one.');
    const folder = await BackupFolder.#opened(path);
    for (const name of [PENDING, 'files', 'repository'])
      await mkdir(join(path, name), { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Opens a backup to read it. @throws {UsageError} the folder has none */
  static async toRead(path: string): Promise<BackupFolder> {
    const folder = await BackupFolder.#opened(path);
    if (folder.manifest === undefined)
      throw new UsageError('The folder has no backup: it has no manifest.json.');
    return folder;
  }

  static async #opened(path: string): Promise<BackupFolder> {
    // Through a link, files elsewhere would be moved and removed.
    for (const name of [PENDING, 'files', 'repository']) {
      const found = await lstat(join(path, name)).catch(() => undefined);
      if (found?.isDirectory() === false)
        throw new UsageError(`This is not a backup of crf: its ${name} is a link or a file, not a folder.`);
    }
    const folder = new BackupFolder(path);
    await folder.#finishMoving();
    folder.#manifest = await folder.#readManifest(MANIFEST);
    return folder;
  }

  /** @throws {InvalidRequestError} it is not as a backup has it */
  async #readManifest(path: string): Promise<Manifest | undefined> {
    return existsSync(join(this.path, path)) ? this.readJson(path, ManifestText) : undefined;
  }

  /** Whether the backup has a part, which `--without` may have left out. */
  has(path: string): boolean {
    return this.manifest?.parts.some((part) => part.path === path) === true;
  }

  /** @throws {InvalidRequestError} it is not UTF-8 */
  async readText(path: string): Promise<string> {
    const handle = await this.#openFile(path);
    const text = decodeText(await handle.readFile().finally(() => handle.close()));
    if (typeof text === 'string') return text;
    throw new InvalidRequestError([{ field: path, ...text }]);
  }

  /** @throws {InvalidRequestError} it has another form */
  async readJson<Value>(path: string, schema: z.ZodType<Value>): Promise<Value> {
    return parseStored(await this.readText(path), schema, path);
  }

  /**
   * Yields the lines of a part, parsed. None if the file does not exist; a last line that is torn is left out.
   *
   * @throws {InvalidRequestError} one has another form
   */
  async *readLines<Value>(path: string, schema: z.ZodType<Value>): AsyncGenerator<Value, void, undefined> {
    if (!existsSync(join(this.path, path))) return;
    const handle = await this.#openFile(path);
    try {
      let line = 0;
      for await (const { text } of byteLines(handle))
        yield parseStored(text, schema, `${path}, line ${(line += 1)},`);
    } finally {
      await handle.close();
    }
  }

  /** Opens a file to read it. @throws {UsageError} it is a pipe, whose reader would wait for ever, a device or a folder */
  async #openFile(path: string): Promise<FileHandle> {
    const handle = await open(join(this.path, path), constants.O_RDONLY | WITHOUT_WAITING);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw new UsageError(`This is not a backup of crf: its ${path} is not a file.`);
  }

  /** Writes a part of the next backup. */
  async writePart(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    this.#parts.push({ path, ...(await writeHashed(join(this.path, PENDING, path), bytes)) });
  }

  async writeJson(path: string, value: unknown): Promise<void> {
    await this.writePart(path, toBytes([`${JSON.stringify(value, null, 2)}\n`]));
  }

  /** Writes a document, which appears under its path when it is whole. */
  async writeDocument(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Omit<Part, 'path'>> {
    const pending = join(this.path, PENDING, 'document');
    const written = await writeHashed(pending, bytes);
    await rename(pending, join(this.path, path));
    return written;
  }

  /** Returns the documents that the last backup has, or an interrupted one has fetched, by their numbers. */
  async knownDocuments(list: string): Promise<Map<number, StoredDocument>> {
    const known = new Map<number, StoredDocument>();
    for (const path of [list, join(PENDING, `${list}.journal`)])
      for await (const document of this.readLines(path, DocumentText)) known.set(document.id, document);
    return known;
  }

  /**
   * Opens the list to which each document is added as soon as it is whole, for a run that is interrupted.
   *
   * @param known the documents of `knownDocuments`; a line of the last run that is torn is left behind
   */
  async journal(list: string, known: Iterable<StoredDocument>): Promise<FileHandle> {
    const path = join(this.path, PENDING, `${list}.journal`);
    await writeHashed(`${path}.new`, toBytes(toLines(known)));
    await rename(`${path}.new`, path);
    return open(path, constants.O_WRONLY | constants.O_APPEND | NO_FOLLOW);
  }

  /**
   * Makes what was written the backup of this folder.
   *
   * @param move moves a file; a test interrupts it
   */
  async commit(manifest: Omit<Manifest, 'parts' | 'format'>, move: typeof rename = rename): Promise<void> {
    const text = `${JSON.stringify({ format: 1, ...manifest, parts: this.#parts }, null, 2)}\n`;
    await writeHashed(join(this.path, PENDING, 'whole.json'), toBytes([text]));
    await rename(join(this.path, PENDING, 'whole.json'), join(this.path, PENDING, MANIFEST));
    await this.#finishMoving(move);
  }

  async #finishMoving(move: typeof rename = rename): Promise<void> {
    const manifest = await this.#readManifest(join(PENDING, MANIFEST));
    if (manifest === undefined) return;
    const before = await this.#readManifest(MANIFEST);
    const isKept = new Set(manifest.parts.map(({ path }) => path));
    for (const { path } of before?.parts ?? [])
      if (!isKept.has(path)) await rm(join(this.path, path), { force: true });
    for (const path of [...manifest.parts.map((part) => part.path), MANIFEST]) {
      await move(join(this.path, PENDING, path), join(this.path, path)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // moved before
      });
    }
    await rm(join(this.path, PENDING), { recursive: true });
    await this.#removeStale();
  }

  /** Removes the documents that the project no longer has. */
  async #removeStale(): Promise<void> {
    for (const { list, folder } of DOCUMENT_LISTS) {
      const kept = new Set<string>();
      for await (const { id } of this.readLines(list, DocumentText)) kept.add(String(id));
      for (const name of await readdir(join(this.path, folder)))
        if (/^\d+$/.test(name) && !kept.has(name)) await rm(join(this.path, folder, name));
    }
  }

  /** Whether a file has its digest. */
  async isWhole({ path, bytes, sha256 }: Part): Promise<boolean> {
    try {
      const handle = await this.#openFile(path);
      try {
        if ((await handle.stat()).size !== bytes) return false;
        return (await digestOf(heard(handle.createReadStream({ autoClose: false })))) === sha256;
      } finally {
        await handle.close();
      }
    } catch {
      return false;
    }
  }

  /** Yields every file of the backup. @throws {InvalidRequestError} a list of documents has another form */
  async *everyPart(): AsyncGenerator<Part, void, undefined> {
    yield* this.manifest?.parts ?? [];
    for (const { list } of DOCUMENT_LISTS) yield* this.readLines(list, DocumentText);
  }
}

export function* toLines(values: Iterable<unknown>): Generator<string, void, undefined> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}

export async function* toBytes(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export async function digestOf(body: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(body, hash);
  return hash.digest('hex');
}

/** Writes a new file in the place of another, or of a link: what a link leads to stays as it is. */
export async function writeHashed(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Omit<Part, 'path'>> {
  const hash = createHash('sha256');
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  let count = 0;
  try {
    await pipeline(
      bytes,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          count += chunk.length;
          yield chunk;
        }
      },
      heard(handle.createWriteStream({ flush: true })),
    );
  } finally {
    await handle.close().catch(() => undefined);
  }
  return { bytes: count, sha256: hash.digest('hex') };
}

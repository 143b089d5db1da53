import { constants } from 'node:fs';
import { access, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { refuseProblems } from '../../domain/identifiers/check-options.js';
import type { AuditEnd, AuditSink } from './audit-sink.js';

/** Readable by the service and its group, for logrotate and log shippers. */
const MODE = 0o640;

/** How much of the end of a file is searched for its last line. An entry that lists many names takes some 80 KiB. */
const TAIL_BYTES = 1024 * 1024;

/** The end of a complete line. An unfinished one can end in a brace too. */
const LINE_END = /,"hash":"[0-9a-f]{64}"\}$/;

/**
 * The audit log in a file that belongs to one process. Lines are appended and flushed to disk (`fdatasync`) before
 * `append` resolves.
 *
 * Rotation is up to other tools. A moved file is noticed by its inode and a truncated one (`copytruncate`) by its size;
 * the log then continues in the file at the path. Lines written by another process are an error, because they would
 * break the hash chain.
 */
export class AuditFile implements AuditSink {
  readonly #path: string;
  #file: FileHandle | undefined;
  #inode = 0;
  /** The length of what this process knows to be in the file. */
  #size = 0;
  #isEndUnknown = false;

  /** @throws {ConfigurationError} the path is not text, or is blank */
  constructor(path: string) {
    refuseProblems(isPath(path) ? [] : [{ field: 'path', message: 'must be the path of a file' }]);
    this.#path = path;
  }

  get isEndUnknown(): boolean {
    return this.#isEndUnknown;
  }

  async open(): Promise<AuditEnd> {
    await this.close();
    const end = await afterRotation(this.#path, await this.#openFile());
    this.#isEndUnknown = false;
    return end;
  }

  async append(lines: string): Promise<void> {
    const file = await this.#fileNow();
    const bytes = Buffer.from(lines);
    try {
      await writeWhole(file, bytes);
      await file.datasync();
      this.#size += bytes.length;
    } catch (error) {
      await this.#undo(file);
      throw error;
    }
  }

  reopen(): void {
    this.#inode = 0;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  /** @throws {Error} another process has written to the file */
  async #fileNow(): Promise<FileHandle> {
    const now = await stat(this.#path).catch(() => undefined);
    if (this.#file !== undefined && now?.ino === this.#inode) {
      if (now.size > this.#size) throw new ForeignLinesError();
      this.#size = now.size;
      return this.#file;
    }
    await this.close();
    await this.#openFile();
    if (this.#file === undefined) throw new Error('The audit log could not be opened.');
    return this.#file;
  }

  async #openFile(): Promise<AuditEnd> {
    const file = await open(this.#path, 'a+', MODE);
    try {
      const end = await tailOf(file);
      // A line that a crash left unfinished was never confirmed. It stays, as a line of its own.
      if (end.isTorn) await writeWhole(file, Buffer.from('\n'));
      const { ino, size } = await file.stat();
      this.#file = file;
      this.#inode = ino;
      this.#size = size;
      return end;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Removes a partly written line, for example on a full disk, so that the file ends with the last confirmed line. */
  async #undo(file: FileHandle): Promise<void> {
    try {
      await file.truncate(this.#size);
    } catch {
      // For example a file that can only be appended to (`chattr +a`). The chain continues after what is in it.
      this.#isEndUnknown = true;
    }
  }
}

/**
 * Reads the end of a log as `AuditFile` does when it opens it, but creates no file and writes nothing.
 *
 * @throws {Error} from the file system: the file cannot be written, or could not be created
 */
export async function readAuditEnd(path: string): Promise<AuditEnd> {
  try {
    return await afterRotation(path, await endOf(path, constants.O_RDWR | constants.O_APPEND));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await access(dirname(path), constants.W_OK | constants.X_OK);
    return afterRotation(path, {});
  }
}

/** If the log was rotated without this process, the chain continues from the most recently rotated file. */
async function afterRotation(path: string, end: AuditEnd): Promise<AuditEnd> {
  if (end.lastLine !== undefined) return end;
  const rotated = await newestRotated(path);
  if (rotated === undefined) return end;
  const { lastLine, isTorn = false } = await endOf(rotated);
  return { lastLine, isTorn: isTorn || end.isTorn };
}

/**
 * Finds the newest rotated file (`audit.log.1`, `audit.log-20261122`) by age, not by name. Compressed files are
 * ignored.
 */
async function newestRotated(path: string): Promise<string | undefined> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = (await readdir(folder)).filter(
    (other) => /^[.-][0-9-]+$/.test(other.slice(name.length)) && other.startsWith(name),
  );
  const dated = await Promise.all(
    names.map(async (other) => ({
      path: join(folder, other),
      at: (await stat(join(folder, other))).mtimeMs,
    })),
  );
  return dated.sort((one, other) => other.at - one.at)[0]?.path;
}

/** Also checked for callers without types. */
function isPath(path: unknown): boolean {
  return typeof path === 'string' && path.trim() !== '';
}

/** Another process appends to the same file. */
class ForeignLinesError extends Error {
  readonly code = 'EFOREIGN';

  constructor() {
    super('Something else writes into the audit log: each process needs a file of its own.');
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}

async function endOf(path: string, flags: string | number = 'r'): Promise<AuditEnd> {
  const file = await open(path, flags);
  try {
    return await tailOf(file);
  } finally {
    await file.close();
  }
}

/** @returns the last complete line, and whether an unfinished one follows it */
async function tailOf(file: FileHandle): Promise<AuditEnd> {
  const { size } = await file.stat();
  if (size === 0) return {};
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const lines = tail.toString('utf8').split('\n');
  const rest = lines.pop();
  // Skips unfinished lines from earlier crashes, which can be between complete ones.
  const objects = lines.reverse().filter((line) => line.startsWith('{') && line.endsWith('}'));
  const lastLine = objects.find((line) => LINE_END.test(line)) ?? objects[0];
  return { lastLine, isTorn: rest !== '' };
}

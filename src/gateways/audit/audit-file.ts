import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AuditEnd, AuditSink } from './audit-sink.js';

/** Readable by the service and its group, as logrotate and those who ship logs need it. */
const MODE = 0o640;

/** As much of the end of a file as is read in search of its last line. */
const TAIL_BYTES = 64 * 1024;

/**
 * The audit log in a file of one process. Lines are appended, and safe on the disk (`fdatasync`) before `append` resolves.
 *
 * Rotation is left to others: a file that was moved away is noticed by its inode, one that was cut short (`copytruncate`) by
 * its size, and the log goes on in the file that has the name. What another process writes into it is an error, since it
 * would break the chain.
 */
export class AuditFile implements AuditSink {
  readonly #path: string;
  #file: FileHandle | undefined;
  #inode = 0;
  /** Up to here the file is ours. */
  #size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<AuditEnd> {
    const end = await this.#openFile();
    if (end.lastLine !== undefined) return end;
    // Rotated while no process was running: the chain goes on from the youngest file that was rotated.
    const rotated = await this.#newestRotated();
    return rotated === undefined ? end : { ...end, lastLine: (await endOf(rotated)).lastLine };
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

  /** @throws {Error} another process has written into the file */
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
      // What a crash left unfinished was confirmed to nobody. It stays, as a line of its own.
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

  /** A disk that is full takes half a line: the file ends again where the last safe line does. */
  async #undo(file: FileHandle): Promise<void> {
    try {
      await file.truncate(this.#size);
    } catch {
      // The next `append` opens the file anew, and finds what stands in it.
      this.reopen();
    }
  }

  /** `audit.log.1`, `audit.log-20261122`: by age, not by name. Compressed ones are left aside. */
  async #newestRotated(): Promise<string | undefined> {
    const [folder, name] = [dirname(this.#path), basename(this.#path)];
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

async function endOf(path: string): Promise<AuditEnd> {
  const file = await open(path, 'r');
  try {
    return await tailOf(file);
  } finally {
    await file.close();
  }
}

/** @returns the last line that ends, and whether something stands behind it */
async function tailOf(file: FileHandle): Promise<AuditEnd> {
  const { size } = await file.stat();
  if (size === 0) return {};
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const lines = tail.toString('utf8').split('\n');
  const rest = lines.pop();
  // A torn line of earlier stands between two whole ones.
  const lastLine = lines.reverse().find((line) => line.startsWith('{') && line.endsWith('}'));
  return { lastLine, isTorn: rest !== '' };
}

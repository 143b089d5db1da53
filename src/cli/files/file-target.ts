import { constants } from 'node:fs';
import { access, type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { counted } from '../printing/table.js';
import { unwritableFile } from './refused-file.js';

/** The partial file of an interrupted export, and the number of bytes to keep. */
export interface Remainder {
  readonly handle: FileHandle;
  readonly bytes: number;
}

/** An opened target. The caller calls either `begin` or `close`. */
interface OpenedTarget {
  /** Starts writing, once the export has started successfully. The target is not changed before. */
  begin(): Promise<Writable>;
  close(): Promise<void>;
}

export interface ExportTarget {
  /** Returns the partial file to resume; undefined if there is none. */
  remainder(): Promise<FileHandle | undefined>;
  open(remainder?: Remainder): Promise<OpenedTarget>;
  /** Finishes a complete export. */
  complete(): Promise<void>;
  /** Describes what was written by an incomplete export. */
  leftBehind(): Promise<string>;
}

export interface TargetOptions {
  /** `--force`: an existing file is replaced. */
  readonly isForced: boolean;
  readonly isResumed: boolean;
  /** Whether an export in this format can be resumed. */
  readonly isResumable: boolean;
}

/** Readable by its owner only, since exports contain confidential data. */
const MODE = 0o600;
/** On Windows this flag does not exist and is undefined. */
export const NO_FOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0;

/** A file that appears under its name only when it is complete. Until then it is named `FILE.part`. */
export class FileTarget implements ExportTarget {
  readonly #output: string;
  readonly #part: string;
  readonly #options: TargetOptions;
  #state: 'untouched' | 'begun' | 'whole' = 'untouched';

  /** @param output the path of a file, which may not exist yet */
  constructor(output: string, options: TargetOptions) {
    this.#output = output;
    this.#part = `${output}.part`;
    this.#options = options;
  }

  /**
   * Checks that no existing file would be overwritten, unless that was requested.
   *
   * @throws {CliError} the file or a partial export already exists
   * @throws {InvalidRequestError} the folder cannot be written to
   */
  async check(): Promise<void> {
    const { isForced, isResumed } = this.#options;
    if (!isForced && (await sizeOf(this.#output)) !== undefined)
      throw new CliError(
        `${this.#output} exists already. --force replaces it; nothing was written.`,
        EXIT_CODES.usage,
      );
    const size = (await sizeOf(this.#part)) ?? 0;
    if (size > 0 && !isForced && !isResumed)
      throw new CliError(this.#partExistsMessage(size), EXIT_CODES.usage);
    // The dot refuses the name of a file.
    await access(`${dirname(this.#output)}/.`, constants.W_OK).catch((cause: unknown) => {
      throw unwritableFile('--output', cause);
    });
  }

  /** @throws {CliError} the partial file is a link, or does not belong to this user alone */
  async remainder(): Promise<FileHandle | undefined> {
    if (!this.#options.isResumed || !((await sizeOf(this.#part)) ?? 0)) return undefined;
    const handle = await open(this.#part, constants.O_RDWR | NO_FOLLOW).catch((cause: unknown) => {
      throw this.#notOurs(cause);
    });
    const stats = await handle.stat();
    const isOurs = stats.isFile() && stats.nlink === 1 && stats.uid === (process.getuid?.() ?? stats.uid);
    if (isOurs) return handle;
    await handle.close();
    throw this.#notOurs();
  }

  open(remainder?: Remainder): Promise<OpenedTarget> {
    return Promise.resolve({
      begin: async () => {
        const handle = remainder?.handle ?? (await this.#create());
        this.#state = 'begun';
        const start = remainder?.bytes ?? 0;
        await handle.truncate(start);
        await handle.chmod(MODE);
        return toStream(handle, start);
      },
      close: async () => remainder?.handle.close(),
    });
  }

  async complete(): Promise<void> {
    this.#state = 'whole';
    if (this.#options.isForced) return rename(this.#part, this.#output);
    try {
      // Unlike `rename`, this fails if the file has been created in the meantime.
      await link(this.#part, this.#output);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
        throw new CliError(`${this.#output} has appeared meanwhile.`, EXIT_CODES.failed, { cause });
      // Some file systems do not support hard links.
      return rename(this.#part, this.#output);
    }
    await unlink(this.#part);
  }

  async leftBehind(): Promise<string> {
    const size = (await sizeOf(this.#part)) ?? 0;
    if (this.#state === 'whole') return `The export is whole, and is called ${this.#part}.`;
    if (size === 0) {
      if (this.#state === 'begun') await unlink(this.#part).catch(() => undefined);
      return 'Nothing was written.';
    }
    const { isResumed, isResumable } = this.#options;
    if (this.#state !== 'begun')
      return `Nothing was written. ${this.#part} holds ${counted(size, 'byte')}, as before.`;
    const hint = isResumable
      ? ` The same command${isResumed ? '' : ' with --resume'} goes on from there.`
      : '';
    return `${this.#part} holds ${counted(size, 'byte')}; it is not whole.${hint}`;
  }

  /**
   * Creates the partial file. It never follows a link or writes to an existing file, but deletes the existing one
   * first.
   */
  async #create(): Promise<FileHandle> {
    try {
      await unlink(this.#part).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      return await open(
        this.#part,
        constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
        MODE,
      );
    } catch (cause) {
      throw unwritableFile('--output', cause);
    }
  }

  #partExistsMessage(size: number): string {
    const resumeHint = this.#options.isResumable ? '--resume goes on with it' : 'Move it away';
    return `${this.#part} holds ${counted(size, 'byte')} of an export that was interrupted. ${resumeHint}; --force discards it. Nothing was written.`;
  }

  #notOurs(cause?: unknown): CliError {
    return new CliError(
      `${this.#part} is a link, or not a file of yours alone, and cannot be resumed. Move it away.`,
      EXIT_CODES.usage,
      { cause },
    );
  }
}

/** @returns the size; undefined if nothing exists at the path. For a link, it is the size of the link itself. */
async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.size;
}

/** Size of the write buffer: chunks are written together, while the next ones are fetched. */
const BUFFERED_BYTES = 1024 * 1024;

/** Flushes the file to disk before it gets its final name, so that a power failure cannot leave it incomplete. */
function toStream(handle: FileHandle, start: number): Writable {
  return heard(handle.createWriteStream({ flush: true, highWaterMark: BUFFERED_BYTES, start }));
}

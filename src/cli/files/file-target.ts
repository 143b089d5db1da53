import { constants, open as openDescriptor, type Stats } from 'node:fs';
import { access, type FileHandle, link, lstat, open, rename, stat, unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { heard } from '../../domain/bytes/heard.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import type { Io } from '../io.js';
import { counted } from '../printing/table.js';
import { IS_FOLDER, unwritableFile } from './refused-file.js';

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

interface TargetOptions {
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
class FileTarget implements ExportTarget {
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

/**
 * Determines where an export is written. An existing path that is not a regular file, such as a named pipe or
 * `/dev/stdout`, is written to directly and never replaced.
 *
 * @returns standard output, or a file that appears under its name only when it is complete
 * @throws {InvalidRequestError} the path is a folder, or cannot be written
 * @throws {CliError} the file or a partial export already exists
 */
export async function exportTarget(
  output: string | undefined,
  options: TargetOptions,
  io: Pick<Io, 'stdout' | 'interrupt'>,
): Promise<ExportTarget> {
  if (output === undefined) return standardOutput(io);
  const existing = await stat(output).catch(() => undefined);
  if (existing?.isDirectory()) throw unwritableFile('--output', IS_FOLDER);
  if (existing !== undefined && !existing.isFile()) return deviceTarget(output, existing, io.interrupt());
  const target = new FileTarget(output, options);
  await target.check();
  return target;
}

/** @returns the target of a file that is written whole. @throws as `exportTarget` */
export function newFile(path: string | undefined, isForced: boolean, io: Io): Promise<ExportTarget> {
  return exportTarget(path, { isForced, isResumed: false, isResumable: false }, io);
}

/**
 * Standard output, which must not be closed. It finishes when the reader or pipe has received everything. A terminal
 * also gets the line end that REDCap's JSON lacks.
 */
function standardOutput({ stdout }: Pick<Io, 'stdout'>): ExportTarget {
  let isBegun = false;
  let isLineEnded = true;
  const sink = heard(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        isBegun = true;
        isLineEnded = chunk.at(-1) === LINE_FEED;
        // The error handler in `main.ts` handles write errors.
        stdout.write(chunk, (error) => {
          if (!error) done();
        });
      },
    }),
  );
  return {
    remainder: () => Promise.resolve(undefined),
    open: () => Promise.resolve({ begin: () => Promise.resolve(sink), close: () => Promise.resolve() }),
    complete: () => {
      if (stdout.isTTY && !isLineEnded) stdout.write('\n');
      return Promise.resolve();
    },
    leftBehind: () =>
      Promise.resolve(isBegun ? 'The standard output is incomplete.' : 'Nothing was written.'),
  };
}

function deviceTarget(output: string, stats: Stats, signal: AbortSignal): ExportTarget {
  return {
    remainder: () => Promise.resolve(undefined),
    open: async () => {
      const sink = await (stats.isFIFO() ? openPipe(output, signal) : openDevice(output));
      return { begin: () => Promise.resolve(sink), close: () => Promise.resolve(void sink.destroy()) };
    },
    complete: () => Promise.resolve(),
    leftBehind: () => Promise.resolve(`What was written to ${output} is not whole.`),
  };
}

async function openDevice(path: string): Promise<Writable> {
  try {
    return heard((await open(path, 'w')).createWriteStream());
  } catch (cause) {
    throw unwritableFile('--output', cause);
  }
}

/**
 * Opens a named pipe without blocking. A file stream would block a thread until the pipe has a reader, and on every
 * write while the pipe is full; meanwhile, the process could not exit.
 */
async function openPipe(path: string, signal: AbortSignal): Promise<Writable> {
  for (;;) {
    try {
      const fd = await promisify(openDescriptor)(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (cause) {
      // The pipe has no reader yet.
      if ((cause as NodeJS.ErrnoException).code !== 'ENXIO') throw unwritableFile('--output', cause);
    }
    await pause(READER_POLL_MS, undefined, { signal });
  }
}

const READER_POLL_MS = 100;
const LINE_FEED = 0x0a;

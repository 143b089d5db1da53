import { constants, open as openDescriptor, type Stats } from 'node:fs';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { InvalidRequestError } from '../errors/invalid-request-error.js';
import { counted } from './counted.js';

/** Where an export goes. */
export interface ExportTarget {
  /** The file that grows until the export is whole; undefined for standard output. */
  readonly part: string | undefined;
  /** @param isResumed whether what is there stays */
  open(isResumed: boolean): Promise<Writable>;
  /** The export is whole. */
  complete(): Promise<void>;
  /** What there is when it is not. */
  leftBehind(): Promise<string>;
}

/**
 * @returns standard output, or a file that appears under its name only when it is whole: until then it is `FILE.part`.
 *   What is there already and is no file, as a named pipe or `/dev/stdout`, is written to as it is, and never replaced.
 * @param signal gives up to wait for the reader of a named pipe
 * @throws {InvalidRequestError} it is a folder
 */
export async function exportTarget(output: string | undefined, signal: AbortSignal): Promise<ExportTarget> {
  if (output === undefined) return STANDARD_OUTPUT;
  const there = await stat(output).catch(() => undefined);
  if (there?.isDirectory()) throw notWritable();
  return there === undefined || there.isFile() ? fileTarget(output) : deviceTarget(output, there, signal);
}

const STANDARD_OUTPUT: ExportTarget = {
  part: undefined,
  open: () => Promise.resolve(standardOutput()),
  complete: () => Promise.resolve(),
  leftBehind: () => Promise.resolve('What was written to standard output is not whole.'),
};

/** Standard output, which is not ours to end: finished when its reader, or the pipe to it, has taken everything. */
function standardOutput(): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // What it fails with is main's to hear.
      process.stdout.write(chunk, (error) => {
        if (!error) done();
      });
    },
  });
}

function fileTarget(output: string): ExportTarget {
  const part = `${output}.part`;
  return {
    part,
    // On disk before it has its name: a power cut must not leave a whole name on half a file.
    open: async (isResumed) =>
      (await openFile(part, isResumed ? 'a' : 'w')).createWriteStream({
        flush: true,
        highWaterMark: BUFFERED_BYTES,
      }),
    complete: () => rename(part, output),
    leftBehind: async () => {
      const { size } = await stat(part).catch(() => ({ size: 0 }));
      return size === 0 ? 'Nothing was written.' : `${part} holds ${counted(size, 'byte')}; it is not whole.`;
    },
  };
}

function deviceTarget(output: string, stats: Stats, signal: AbortSignal): ExportTarget {
  return {
    part: undefined,
    open: () => (stats.isFIFO() ? openPipe(output, signal) : openDevice(output)),
    complete: () => Promise.resolve(),
    leftBehind: () => Promise.resolve(`What was written to ${output} is not whole.`),
  };
}

async function openDevice(path: string): Promise<Writable> {
  return (await openFile(path, 'w')).createWriteStream();
}

/**
 * A file stream waits for the pipe's reader in a thread, with its first byte and with each that the pipe has no room
 * for, and so long the process could not end.
 */
async function openPipe(path: string, signal: AbortSignal): Promise<Writable> {
  for (;;) {
    try {
      const fd = await promisify(openDescriptor)(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (cause) {
      // Nobody reads the pipe yet.
      if ((cause as NodeJS.ErrnoException).code !== 'ENXIO') throw notWritable(cause);
    }
    await pause(READER_POLL_MS, undefined, { signal });
  }
}

const READER_POLL_MS = 100;

async function openFile(path: string, flags: 'a' | 'w'): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    throw notWritable(cause);
  }
}

function notWritable(cause?: unknown): InvalidRequestError {
  return new InvalidRequestError([{ field: '--output', message: 'must name a file that can be written' }], {
    cause,
  });
}

/** What may wait for the disk: several chunks are written at once, and the next ones fetched meanwhile. */
const BUFFERED_BYTES = 1024 * 1024;

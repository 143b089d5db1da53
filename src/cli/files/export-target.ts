import { constants, open as openDescriptor, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { heard } from '../../domain/bytes/heard.js';
import type { Io } from '../io.js';
import { type ExportTarget, FileTarget, type TargetOptions } from './file-target.js';
import { IS_FOLDER, unwritableFile } from './refused-file.js';

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

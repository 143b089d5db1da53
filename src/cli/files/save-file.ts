import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CancelledError } from '../../domain/errors/caller-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { diskFileName } from '../../services/files/file-name.js';
import { CliError } from '../cli-error.js';
import { counted } from '../printing/counted.js';
import { EXIT_CODES } from '../exit-codes.js';
import { newFile } from './export-target.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { interruptSignal } from '../interrupt.js';
import { withClient } from '../open-client.js';
import { describeFailure } from '../report-failure.js';
import { exitCodeOf } from '../exit-code-of.js';
import { printable } from '../printing/table.js';

/** Where to save a file. */
export interface SaveArguments extends GlobalArguments {
  /** The path, or `-` for standard output; by default, the file's own name in the current folder. */
  readonly output?: string | undefined;
  readonly force: boolean;
}

/** A file to save. */
export interface Saved {
  /** Its name in REDCap, of which only the safe part is used. */
  readonly name: string;
  readonly body: Readable;
}

/**
 * Saves a file. It appears under its name only when it is complete, is readable only by the user, and does not replace
 * another file unless that was requested. Without `--output` it has its name in REDCap, without folders or other unsafe
 * parts.
 *
 * @param fallback the name to use if the file's own is not usable
 */
export async function saveFile(
  options: SaveArguments,
  fallback: string,
  open: (client: CrfClient, signal: AbortSignal) => Promise<Saved>,
): Promise<void> {
  const signal = interruptSignal();
  const { output, force, quiet } = options;
  const toStdout = output === '-';
  // Report an existing file before sending requests to REDCap.
  if (output !== undefined && !toStdout) await newFile(output, force, signal);
  await withClient({ ...options, needsProject: !toStdout }, async ({ client }) => {
    const { name, body } = await open(client, signal);
    const path = output ?? diskFileName(name, fallback);
    const target = await newFile(toStdout ? undefined : path, force, signal).catch((error: unknown) => {
      body.destroy();
      throw error;
    });
    let bytes = 0;
    body.on('data', (chunk: Buffer) => (bytes += chunk.length));
    body.pause();
    try {
      const sink = await (await target.open()).begin();
      await pipeline(body, sink, { signal });
      await target.complete();
    } catch (error) {
      body.destroy();
      const what = signal.aborted ? 'Interrupted.' : describeFailure(failureOf(error));
      process.stderr.write(`${what}\n${await target.leftBehind()}\n`);
      process.exitCode = signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(failureOf(error));
      return;
    }
    if (!quiet && !toStdout) process.stderr.write(`Wrote ${counted(bytes, 'byte')} to ${printable(path)}\n`);
  });
}

/** Converts file system errors, such as a full disk. */
function failureOf(error: unknown): unknown {
  const { syscall, code } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall !== undefined)
    return new CliError(`The output could not be written (${code}).`, EXIT_CODES.failed, { cause: error });
  return (error as Error).name === 'AbortError' ? new CancelledError({ cause: error }) : error;
}

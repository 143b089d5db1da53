import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { diskFileName } from '../../services/files/file-name.js';
import type { ExitCode } from '../cli-error.js';
import type { GlobalArguments } from '../command.js';
import type { Io } from '../io.js';
import { withClient } from '../open-client.js';
import { counted, printable } from '../printing/table.js';
import { newFile } from './file-target.js';
import { orLeftBehind, writeBody } from './write-report.js';

interface SaveArguments extends GlobalArguments {
  /** The path, or `-` for standard output; by default, the file's own name in the current folder. */
  readonly output?: string | undefined;
  readonly force: boolean;
}

interface Saved {
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
  io: Io,
  open: (client: CrfClient, signal: AbortSignal) => Promise<Saved>,
): Promise<ExitCode> {
  const signal = io.interrupt();
  const { output, force, quiet } = options;
  const toStdout = output === '-';
  // Report an existing file before sending requests to REDCap.
  if (output !== undefined && !toStdout) await newFile(output, force, io);
  return withClient({ ...options, needsProject: !toStdout }, io, async ({ client }) => {
    const { name, body } = await open(client, signal);
    const path = output ?? diskFileName(name, fallback);
    const target = await newFile(toStdout ? undefined : path, force, io).catch((error: unknown) => {
      body.destroy();
      throw error;
    });
    const whole = { pipeTo: (sink: Writable) => pipeline(body, sink), cancel: () => void body.destroy() };
    let bytes = 0;
    return orLeftBehind(
      target,
      io,
      (text) => io.stderr.write(`${text}\n`),
      async () => {
        const open = () => Promise.resolve(whole);
        const writing = { signal, onBytes: (count: number) => void (bytes = count) };
        await writeBody(target, open, writing).finally(() => body.destroy());
        if (!quiet && !toStdout) io.stderr.write(`Wrote ${counted(bytes, 'byte')} to ${printable(path)}\n`);
      },
    );
  });
}

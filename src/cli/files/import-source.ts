import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { heard } from '../../errors/heard.js';
import type { RowFormat } from '../../services/row-output/row-format.js';
import type { Progress } from '../printing/progress.js';
import { RowCounter } from './row-counter.js';
import { IS_FOLDER, unreadableFile } from './refused-file.js';

/**
 * Opens a file, or standard input for `-`, and shows the progress as it is read.
 *
 * @param signal stops reading, even if standard input never ends
 * @throws {InvalidRequestError} the file cannot be read
 */
export async function openImport(
  file: string,
  format: RowFormat,
  progress: Progress,
  signal: AbortSignal,
): Promise<Readable> {
  const { input, bytes: total } =
    file === '-' ? { input: process.stdin, bytes: undefined } : await openFile(file);
  const counter = new RowCounter(format, (rows, bytes) =>
    progress.show(rows, bytes, total === undefined ? undefined : bytes / total),
  );
  const giveUp = (): void => {
    input.destroy();
    counter.destroy();
  };
  input.once('error', (error: Error) => counter.destroy(error));
  signal.addEventListener('abort', giveUp, { once: true });
  counter.once('close', () => signal.removeEventListener('abort', giveUp));
  return input.pipe(counter);
}

async function openFile(file: string): Promise<{ input: Readable; bytes: number | undefined }> {
  try {
    const handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error('a folder'), IS_FOLDER);
    }
    // A pipe, such as `<(…)`, has no known size.
    return { input: heard(handle.createReadStream()), bytes: stats.isFile() ? stats.size : undefined };
  } catch (cause) {
    throw unreadableFile('file', cause);
  }
}

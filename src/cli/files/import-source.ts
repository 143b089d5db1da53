import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { heard } from '../../domain/bytes/heard.js';
import { InputErrors } from '../../records/import/input-errors.js';
import type { WorkbookChoice } from '../../records/import/workbook/read-workbook.js';
import { COMMAND_LIMITS } from '../../records/import/workbook/workbook-limits.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import { IS_FOLDER, unreadableFile } from './refused-file.js';

/**
 * Opens a file, or standard input for `-`. A workbook is read as NDJSON.
 *
 * @param choice the sheet of a workbook
 * @param onBytes called with the number of bytes read so far, and their share of the file, from 0 to 1, if its size is known
 * @param signal stops reading, even if standard input never ends
 * @throws {InvalidRequestError} the file cannot be read
 */
export async function openImport(
  file: string,
  choice: WorkbookChoice,
  onBytes: (bytes: number, share: number | undefined) => void,
  signal: AbortSignal,
): Promise<Readable> {
  const { input, bytes: total } =
    file === '-' ? { input: process.stdin, bytes: undefined } : await openFile(file, choice);
  let bytes = 0;
  const counter = heard(
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        onBytes(bytes, total === undefined ? undefined : bytes / total);
        done(null, chunk);
      },
    }),
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

async function openFile(
  file: string,
  choice: WorkbookChoice,
): Promise<{ input: Readable; bytes: number | undefined }> {
  if (isWorkbookName(file)) {
    const { readWorkbook } = await import('../../records/import/workbook/read-workbook.js');
    // One byte more tells that it is too large, also where the size is not known.
    const workbook = await buffer(heard(createReadStream(file, { end: COMMAND_LIMITS.bytes }))).catch(
      (cause: unknown) => {
        throw unreadableFile('file', cause);
      },
    );
    const { ndjson } = await readWorkbook(workbook, choice, new InputErrors('file'), COMMAND_LIMITS);
    return { input: ndjson, bytes: undefined };
  }
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

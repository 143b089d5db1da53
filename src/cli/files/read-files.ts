import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type DecodeOptions, decodeText } from '../../domain/bytes/decode-text.js';
import { heard } from '../../domain/bytes/heard.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { FileUpload } from '../../gateways/redcap/crf-client.js';
import { InputErrors } from '../../records/import/input-errors.js';
import type { WorkbookChoice } from '../../records/import/workbook/read-workbook.js';
import { COMMAND_LIMITS } from '../../records/import/workbook/workbook-limits.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import type { Io } from '../io.js';
import { IS_FOLDER, unreadableFile } from './refused-file.js';

/** What the value of `--encoding` says, where a command has the option. */
type EncodingArguments = Pick<DecodeOptions, 'encoding'>;

/**
 * Returns the text of a file, or of standard input for `-`.
 *
 * @param field the argument or option that names the file
 * @param options those of a command with `--encoding`; without them, the file must be UTF-8
 * @throws {InvalidRequestError} it cannot be read, or is not in its encoding
 */
export async function readTextFile(
  file: string,
  { stdin }: Pick<Io, 'stdin'>,
  field = 'file',
  options?: EncodingArguments,
): Promise<string> {
  const bytes = await (file === '-' ? buffer(stdin()) : readFile(file)).catch((cause: unknown) => {
    throw unreadableFile(field, cause);
  });
  const text = decodeText(bytes, { encoding: options?.encoding, takesEncoding: options !== undefined });
  if (typeof text === 'string') return text;
  throw new InvalidRequestError([{ field, ...text }]);
}

/** Parses the JSON of a file. @throws {InvalidRequestError} it is not as it should be; the parser's message may have a value */
export function parseJson<Value>(text: string, is: (value: unknown) => value is Value, rule: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused like any other text.
  }
  if (is(value)) return value;
  throw new InvalidRequestError([{ field: 'file', message: rule }]);
}

interface UploadArguments {
  /** A path; `-` for standard input. */
  readonly file: string;
  readonly fileName?: string | undefined;
  /** Its media type; by default, derived from the extension of the name. */
  readonly mediaType?: string | undefined;
}

/**
 * Opens a local file as an upload. It is read while it is sent.
 *
 * @throws {InvalidRequestError} the file cannot be read, or a name for standard input is missing
 */
export async function readUpload(
  { file, fileName, mediaType }: UploadArguments,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<FileUpload> {
  if (file === '-') {
    if (fileName === undefined) {
      throw new InvalidRequestError([{ field: '--file-name', message: 'is needed for standard input' }]);
    }
    return { name: fileName, contentType: mediaType ?? (await typeOf(fileName)), bytes: stdin() };
  }
  const { input, bytes } = await openToRead(file);
  const name = fileName ?? basename(file);
  return { name, contentType: mediaType ?? (await typeOf(name)), bytes: input, length: bytes };
}

async function typeOf(name: string): Promise<string> {
  const { default: mimeTypes } = await import('mime-types');
  return mimeTypes.lookup(name) || 'application/octet-stream';
}

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
  { stdin }: Pick<Io, 'stdin'>,
  choice: WorkbookChoice,
  onBytes: (bytes: number, share: number | undefined) => void,
  signal: AbortSignal,
): Promise<Readable> {
  const { input, bytes: total } =
    file === '-' ? { input: stdin(), bytes: undefined } : await openFile(file, choice);
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

/** Opens a file. The length of a pipe, such as `<(…)`, is not known. */
async function openToRead(file: string): Promise<{ input: Readable; bytes: number | undefined }> {
  try {
    const handle = await open(file);
    const stats = await handle.stat();
    if (!stats.isDirectory())
      return { input: heard(handle.createReadStream()), bytes: stats.isFile() ? stats.size : undefined };
    await handle.close();
  } catch (cause) {
    throw unreadableFile('file', cause);
  }
  throw unreadableFile('file', IS_FOLDER);
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
  return openToRead(file);
}

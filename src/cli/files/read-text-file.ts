import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { decodeText, type DecodeOptions } from '../../domain/bytes/decode-text.js';
import { unreadableFile } from './refused-file.js';

/** What the value of `--encoding` says, where a command has the option. */
export type EncodingArguments = Pick<DecodeOptions, 'encoding'>;

/**
 * Returns the text of a file, or of standard input for `-`.
 *
 * @param field the argument or option that names the file
 * @param options those of a command with `--encoding`; without them, the file must be UTF-8
 * @throws {InvalidRequestError} it cannot be read, or is not in its encoding
 */
export async function readTextFile(
  file: string,
  field = 'file',
  options?: EncodingArguments,
): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((cause: unknown) => {
    throw unreadableFile(field, cause);
  });
  const text = decodeText(bytes, { encoding: options?.encoding, takesEncoding: options !== undefined });
  if (typeof text === 'string') return text;
  throw new InvalidRequestError([{ field, ...text }]);
}

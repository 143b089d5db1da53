import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { unreadableFile } from './refused-file.js';

/**
 * Returns the text of a file, or of standard input for `-`.
 *
 * @param field the argument or option that names the file
 * @throws {InvalidRequestError} it cannot be read
 */
export async function readTextFile(file: string, field = 'file'): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadableFile(field, cause);
  }
}

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { InvalidRequestError } from '../errors/caller-errors.js';

/** Returns the text of a file, or of standard input for `-`. @throws {InvalidRequestError} it cannot be read */
export async function readTextFile(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new InvalidRequestError([{ field: 'file', message: 'must name a file that can be read' }], {
      cause,
    });
  }
}

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { unreadableFile } from './unreadable-file.js';

/** Returns the text of a file, or of standard input for `-`. @throws {InvalidRequestError} it cannot be read */
export async function readTextFile(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadableFile('file', cause);
  }
}

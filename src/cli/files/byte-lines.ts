import type { FileHandle } from 'node:fs/promises';
import { heard } from '../../errors/heard.js';

const LINE_FEED = 0x0a;

/** A line of a file, without its line feed. */
export interface ByteLine {
  readonly text: string;
  /** Byte offset of the next line. */
  readonly end: number;
}

/**
 * Yields the complete lines of a file; text after the last line feed is ignored. `node:readline` would also split lines
 * at U+2028, which JSON may contain unescaped.
 */
export async function* byteLines(file: FileHandle): AsyncGenerator<ByteLine, void, undefined> {
  let rest: Buffer[] = [];
  let end = 0;
  for await (const chunk of heard(file.createReadStream({ start: 0, autoClose: false }))) {
    const bytes = chunk as Buffer;
    let at = 0;
    for (let next = bytes.indexOf(LINE_FEED); next !== -1; next = bytes.indexOf(LINE_FEED, at)) {
      const line = Buffer.concat([...rest, bytes.subarray(at, next)]);
      rest = [];
      at = next + 1;
      end += line.length + 1;
      yield { text: line.toString('utf8'), end };
    }
    if (at < bytes.length) rest.push(bytes.subarray(at));
  }
}

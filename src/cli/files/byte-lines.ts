import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { heard } from '../../domain/bytes/heard.js';
import { CliError, EXIT_CODES } from '../cli-error.js';

const LINE_FEED = 0x0a;

interface ByteLine {
  readonly text: string;
  /** Byte offset of the next line. */
  readonly end: number;
}

/** Larger than any line that is written: a call of an import, with what it replaces. `/dev/zero` never ends one. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

export class OtherFileError extends CliError {
  constructor(rule: string) {
    super(`A line of the file ${rule}: it is another file than it should be.`, EXIT_CODES.usage);
  }
}

/**
 * Yields the complete lines of a file; text after the last line feed is ignored. `node:readline` would also split lines
 * at U+2028, which JSON may contain unescaped.
 *
 * @throws {OtherFileError} a line is not UTF-8, or too long
 */
export async function* byteLines(file: FileHandle): AsyncGenerator<ByteLine, void, undefined> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let end = 0;
  for await (const chunk of heard(file.createReadStream({ start: 0, autoClose: false }))) {
    const bytes = chunk as Buffer;
    let at = 0;
    for (let next = bytes.indexOf(LINE_FEED); next !== -1; next = bytes.indexOf(LINE_FEED, at)) {
      const line = Buffer.concat([...rest, bytes.subarray(at, next)]);
      rest = [];
      restBytes = 0;
      at = next + 1;
      end += line.length + 1;
      yield { text: textOf(line), end };
    }
    if (at < bytes.length) rest.push(bytes.subarray(at));
    restBytes += bytes.length - at;
    if (restBytes > MAX_LINE_BYTES) throw new OtherFileError('has more than 256 MB');
  }
}

function textOf(line: Buffer): string {
  if (isUtf8(line)) return line.toString('utf8');
  throw new OtherFileError('is not UTF-8');
}

import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { heard } from '../../domain/bytes/heard.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
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
 * Yields the complete lines of a file; text after the last line feed is ignored.
 *
 * @throws {OtherFileError} a line is not UTF-8, or too long
 */
export async function* byteLines(file: FileHandle): AsyncGenerator<ByteLine, void, undefined> {
  let end = 0;
  const chunks = heard(file.createReadStream({ start: 0, autoClose: false }));
  for await (const { bytes, isEnded } of splitLines(chunks, MAX_LINE_BYTES)) {
    if (bytes === undefined) throw new OtherFileError('has more than 256 MB');
    end += bytes.length + 1;
    if (isEnded) yield { text: textOf(bytes), end };
  }
}

function textOf(line: Buffer): string {
  if (isUtf8(line)) return line.toString('utf8');
  throw new OtherFileError('is not UTF-8');
}

/**
 * Splits at line feeds alone: `node:readline` would also split at U+2028, which JSON may contain unescaped, and hold a line
 * of any length. What follows the last one is yielded too, and a line of more bytes than `most` without them.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<{ readonly bytes: Buffer | undefined; readonly isEnded: boolean }, void, undefined> {
  const held = new HeldBytes();
  let isSkipped = false;
  for await (const chunk of chunks)
    for (let at = 0, end = 0; at < chunk.length; at = end + 1) {
      const next = chunk.indexOf(LINE_FEED, at);
      const isEnded = next !== -1;
      end = isEnded ? next : chunk.length;
      if (!isSkipped) held.add(chunk.subarray(at, end));
      if (held.length > most) {
        held.take();
        isSkipped = true;
        yield { bytes: undefined, isEnded };
      } else if (isEnded && !isSkipped) yield { bytes: held.take(), isEnded };
      if (isEnded) isSkipped = false;
    }
  if (held.length > 0) yield { bytes: held.take(), isEnded: false };
}

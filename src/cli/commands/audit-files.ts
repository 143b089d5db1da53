import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { heard } from '../../domain/bytes/heard.js';
import type { AuditFileLines } from '../../services/audit/verify-chain.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';

/** Reports a file that cannot be read. */
export function unreadable(error: unknown, stderr: Writable): ExitCode {
  const { code = 'unknown', path = '' } = error as NodeJS.ErrnoException;
  stderr.write(`${path} cannot be read (${code}).\n`);
  return EXIT_CODES.usage;
}

/** Opens a file of an audit log, compressed if its name ends in `.gz`. Its lines are read as they are asked for. */
export function linesOf(path: string): AuditFileLines {
  return { name: path, lines: readLines(path) };
}

async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  const file = heard(createReadStream(path));
  const failure = new Promise<never>((_resolve, reject) => file.once('error', reject));
  failure.catch(() => undefined);
  try {
    await Promise.race([new Promise((resolve) => file.once('open', resolve)), failure]);
    const input = path.endsWith('.gz') ? file.pipe(heard(createGunzip())) : file;
    yield* createInterface({ input, crlfDelay: Infinity });
  } catch (error) {
    // The errors of a folder and of a damaged archive do not name it.
    throw Object.assign(error as Error, { path });
  }
}

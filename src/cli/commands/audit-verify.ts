import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { heard } from '../../domain/bytes/heard.js';
import { type AuditFileLines, type ChainReport, verifyChain } from '../../services/audit/verify-chain.js';
import { EXIT_CODES, type ExitCode } from '../cli-error.js';
import { subcommand } from '../command.js';
import { neededTexts } from '../options/option.js';
import { JSON_ON_STDOUT } from '../options/shared-options.js';
import { counted } from '../printing/table.js';

/** The files of a log. */
export const files = neededTexts('The log and its rotated files, oldest first; .gz is read, too');

/** Verifies an audit log and prints the result. */
export const verifyCommand = subcommand({
  usage: 'verify <files..>',
  describe: 'Check that no line of an audit log was altered, removed, added or moved',
  args: { files, ...JSON_ON_STDOUT },
  examples: [
    ['$0 audit verify audit.log', 'Check one file'],
    ['$0 audit verify audit.log.2.gz audit.log.1 audit.log', 'Check over rotated files'],
  ],
  epilogue:
    'Prints the number and the hash of the last line: kept elsewhere, they show later whether lines were cut off the end. Exit codes: 0 intact, also with an unfinished last line, as a crash leaves it; 1 not intact; 2 a file cannot be read.',
  run: async ({ files, json }, { stdout, stderr }) => {
    let report: ChainReport;
    try {
      report = await verifyChain(files.map(linesOf));
    } catch (error) {
      return unreadable(error, stderr);
    }
    const isIntact = report.faults.length === 0 && report.lines > 0;
    if (json) stdout.write(`${JSON.stringify({ ok: isIntact, ...report })}\n`);
    else printReport(report, stdout, stderr);
    return isIntact ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
});

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

function printReport(
  { lines, chains, firstSeq, end, torn, unfinished, faults }: ChainReport,
  stdout: Writable,
  stderr: Writable,
): void {
  for (const { file, line, message } of faults) stderr.write(`${file}, line ${line}, ${message}.\n`);
  if (lines === 0) stderr.write('There is no line in it.\n');
  if (torn > 0) stdout.write(`${counted(torn, 'line')} unfinished, as a crash leaves it.\n`);
  if (unfinished > 0)
    stdout.write(
      `Unfinished last ${unfinished === 1 ? 'line' : 'lines'}, as a crash leaves: nothing was confirmed for what it says.\n`,
    );
  if (firstSeq !== undefined && firstSeq > 1)
    stdout.write(`It begins with line ${firstSeq} of its chain: older files were not given.\n`);
  if (end === undefined || faults.length > 0) return;
  const intact = `${counted(lines - unfinished, 'line')}, intact.`;
  if (chains.length < 2) {
    stdout.write(`${intact} The last is ${end.seq}, ${end.hash}\n`);
    return;
  }
  stdout.write(`${intact} ${chains.length} chains, each of a process of its own:\n`);
  for (const { file, end } of chains) stdout.write(`${file}: the last is ${end.seq}, ${end.hash}\n`);
}

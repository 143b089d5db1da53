import type { Writable } from 'node:stream';
import { verifyChain, type ChainReport } from '../../services/audit/verify-chain.js';
import { counted } from '../printing/counted.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { linesOf, unreadable } from './audit-files.js';

export interface AuditVerifyOptions {
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Verifies an audit log and prints the result. */
export async function runAuditVerify(
  files: readonly string[],
  { json, stdout, stderr }: AuditVerifyOptions,
): Promise<ExitCode> {
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

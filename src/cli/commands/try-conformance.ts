import {
  runConformance,
  type ConformanceReport,
  type OperationResult,
} from '../conformance/run-conformance.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { withClient, type ProjectChoice } from '../open-client.js';
import { toTable, type Column } from '../printing/table.js';
import { terminalWidth } from '../printing/terminal-width.js';

export interface ConformanceChoice extends ProjectChoice {
  readonly allowWrites: boolean;
  readonly reportId: number | undefined;
  readonly json: boolean;
}

/**
 * Tries every operation of the client library and prints the report.
 *
 * @returns 1 if an operation failed or differs from its documentation
 * @throws {CliError} writes are allowed, but the project is in production
 */
export async function tryConformance({
  allowWrites,
  reportId,
  json,
  ...choice
}: ConformanceChoice): Promise<ExitCode> {
  return withClient({ ...choice, needsProject: allowWrites }, async ({ client }) => {
    if (allowWrites) await refuseProduction(client);
    const report = await runConformance(client, {
      allowWrites,
      reportId,
      onOperation: ({ name }) => choice.verbose === true && process.stderr.write(`${name} …\n`),
    });
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : toText(report));
    return report.operations.some(({ outcome }) => outcome === 'differs' || outcome === 'failed')
      ? EXIT_CODES.failed
      : EXIT_CODES.ok;
  });
}

async function refuseProduction(client: CrfClient): Promise<void> {
  const { isInProduction } = await client.getProjectInfo();
  if (isInProduction) {
    throw new CliError(
      'The project is in production: --allow-writes is for a throw-away project in development status. Leave it out, or use the token of another project.',
      EXIT_CODES.usage,
    );
  }
}

const COLUMNS: readonly Column<OperationResult>[] = [
  { title: 'operation', cell: ({ operation }) => operation },
  { title: 'content/action', cell: ({ content, action }) => `${content}/${action}` },
  { title: 'outcome', cell: ({ outcome }) => outcome },
  { title: 'details', cell: ({ details }) => details.join('; ') },
];

function toText(report: ConformanceReport): string {
  const counts = new Map<string, number>();
  for (const { outcome } of report.operations) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${toTable(report.operations, COLUMNS, terminalWidth(process.stdout))}\nREDCap ${report.redcapVersion}: ${summary}.\n`;
}

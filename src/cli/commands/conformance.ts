import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { defineCommand } from '../command.js';
import {
  type ConformanceReport,
  type OperationResult,
  runConformance,
} from '../conformance/run-conformance.js';
import { withClient } from '../open-client.js';
import { flag, number } from '../options/option.js';
import { checkWholeNumbers, JSON_ON_STDOUT, MAX_INTEGER } from '../options/shared-options.js';
import { type Column, terminalWidth, toTable } from '../printing/table.js';

export const command = defineCommand({
  args: {
    'allow-writes': flag('Also try what writes; for a throw-away project in development status only'),
    report: number('Number of a report to read: the API does not list them'),
    ...JSON_ON_STDOUT,
  },
  examples: { '$0 conformance --json > report.json': 'A report without any data, to be sent to us' },
  epilogue:
    'The report has no record values, no names, no token and no address. Exit codes: 0 nothing differs, 1 an operation differs or failed.',
  check: (values) => checkWholeNumbers(values, { '--report': MAX_INTEGER }),
  run: ({ allowWrites, report: reportId, ...choice }, io) =>
    withClient({ ...choice, needsProject: allowWrites }, io, async ({ client }) => {
      if (allowWrites) await refuseProduction(client);
      const report = await runConformance(client, {
        allowWrites,
        reportId,
        onOperation: ({ name }) => choice.verbose && io.stderr.write(`${name} …\n`),
      });
      const isOther = report.operations.some(({ outcome }) => outcome === 'differs' || outcome === 'failed');
      const exitCode = isOther ? EXIT_CODES.failed : EXIT_CODES.ok;
      return { data: report, text: toText(report, terminalWidth(io.stdout)), exitCode };
    }),
});

/** @throws {CliError} the project is in production */
async function refuseProduction(client: CrfClient): Promise<void> {
  const { isInProduction } = await client.project.getInfo();
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

function toText(report: ConformanceReport, width: number | undefined): string {
  const counts = new Map<string, number>();
  for (const { outcome } of report.operations) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${toTable(report.operations, COLUMNS, width)}\nREDCap ${report.redcapVersion}: ${summary}.\n`;
}

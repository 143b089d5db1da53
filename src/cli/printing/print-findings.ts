import type { QualityFinding } from '../../services/quality/quality-finding.js';
import { QualityService, type QualityRequest } from '../../services/quality/quality-service.js';
import { QualityTally } from '../../services/quality/quality-tally.js';
import { counted } from './counted.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type ProjectChoice } from '../open-client.js';
import { summaryOfFindings } from './summary-of-findings.js';
import { toTable, type Column } from './table.js';
import { terminalWidth } from './terminal-width.js';

/** Maximum number of findings in a table; more would not be read on a terminal. */
const MAX_LINES = 1000;

const COLUMNS: readonly Column<QualityFinding>[] = [
  { title: 'record', cell: ({ record }) => record },
  { title: 'event', cell: ({ event }) => event },
  { title: 'instance', cell: ({ instance }) => (instance === null ? '' : String(instance)) },
  { title: 'field', cell: ({ field }) => field },
  { title: 'finding', cell: ({ message }) => message },
];

/** Prints the first thousand findings as a table, and the number of all. */
export async function printFindings(choice: ProjectChoice, request: QualityRequest): Promise<void> {
  const signal = interruptSignal();
  await withClient(choice, async ({ client }) => {
    const shown: QualityFinding[] = [];
    const tally = new QualityTally(request.rules);
    const counting = { ...request, onRecords: (records: number) => tally.setRecords(records) };
    for await (const finding of new QualityService(client).findings(counting, { signal })) {
      tally.add(finding);
      if (shown.length < MAX_LINES) shown.push(finding);
    }
    process.stdout.write(toFindingsTable(shown, terminalWidth(process.stdout)));
    const { summary } = tally;
    const { findings: count } = summary;
    const rest = count > shown.length ? `; the first ${shown.length} are shown, -o FILE writes all` : '';
    if (choice.quiet !== true)
      process.stderr.write(`${counted(count, 'finding')}${rest}.\n${summaryOfFindings(summary)}`);
  });
}

/**
 * @returns the findings as a table without empty columns, such as events in a classic project; empty without findings
 */
export function toFindingsTable(findings: readonly QualityFinding[], width?: number): string {
  const columns = COLUMNS.filter(({ cell }) => findings.some((finding) => cell(finding) !== ''));
  return findings.length === 0 ? '' : toTable(findings, columns, width);
}

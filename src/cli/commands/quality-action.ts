import type { QualityFinding } from '../../records/rules/quality-finding.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { QualityReport } from '../../services/quality/quality-report.js';
import { QualityService, type QualityRequest } from '../../services/quality/quality-service.js';
import { QualityTally, type QualitySummary } from '../../services/quality/quality-tally.js';
import type { QualityArguments } from './quality.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { exportFormat } from '../options/file-format.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type OpenedClient, type ProjectChoice } from '../open-client.js';
import { outputFile } from '../options/hyphens.js';
import { toIds } from '../options/id-list-option.js';
import { toList } from '../options/list-option.js';
import { counted } from '../printing/counted.js';
import { toFindingsTable } from '../printing/findings-table.js';
import { summaryOfFindings } from '../printing/summary-of-findings.js';
import { terminalWidth } from '../printing/terminal-width.js';
import { writeReport } from '../files/write-report.js';
import { writeSiteWorkbooks } from './site-workbooks.js';

/** Writes the findings about the stored data. @returns the exit code */
export async function runQuality(options: QualityArguments): Promise<ExitCode> {
  const { forms, records, rules, changedSince, bySite } = options;
  const selection = { forms: toList(forms), records: toIds(records), rules, changedSince };
  if (bySite !== undefined) return writeForSites({ ...options, bySite }, selection);
  if (options.format === undefined && outputFile(options.output) === undefined && process.stdout.isTTY) {
    await printFindings(options, selection);
    return EXIT_CODES.ok;
  }
  const format = exportFormat(options.format, options.output);
  let summary: QualitySummary | undefined;
  const onSummary = (written: QualitySummary): void => void (summary = written);
  const request = { ...selection, format, spreadsheetSafe: format === 'csv', hasEnvelope: false, onSummary };
  return writeReport(
    { ...options, format },
    {
      row: 'finding',
      open: ({ client }, signal, onRows) =>
        new QualityReport(new QualityService(client)).open({ ...request, onRows }, { signal }),
      onDone: () => {
        if (!options.quiet && summary !== undefined) process.stderr.write(summaryOfFindings(summary));
      },
    },
  );
}

/** Writes the findings about each site to a workbook; those about the project are for the study team. */
function writeForSites(
  options: QualityArguments & { readonly bySite: string },
  request: QualityRequest,
): Promise<ExitCode> {
  return writeSiteWorkbooks(options, options.bySite, {
    name: 'Findings',
    columns: ['Field', 'Label', 'Finding'],
    lines: async function* ({ client }, signal) {
      const [{ dictionary }, siteOf] = await Promise.all([
        loadProjectStructure(client, { signal }),
        groupsOfRecords(client, signal),
      ]);
      for await (const finding of new QualityService(client).findings(request, { signal })) {
        const { record, instrument: form, field, message } = finding;
        if (record === '') continue;
        const label = withoutTags(dictionary.column(field)?.field?.label ?? '');
        yield { ...finding, site: siteOf.get(record) ?? '', form, cells: [field, label, message] };
      }
    },
  });
}

async function groupsOfRecords(
  client: OpenedClient['client'],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const idField = (await client.getMetadata({ signal }))[0]?.name ?? '';
  const groups = new Map<string, string>();
  const selection = { fields: [idField], exportDataAccessGroups: true, signal };
  for await (const { [idField]: record = '', redcap_data_access_group: group } of client.streamRecords(
    selection,
  ))
    if (group) groups.set(String(record), String(group));
  return groups;
}

/** Maximum number of findings in a table; more would not be read on a terminal. */
const MAX_LINES = 1000;

/** Prints the first thousand findings as a table, and the number of all. */
async function printFindings(choice: ProjectChoice, request: QualityRequest): Promise<void> {
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

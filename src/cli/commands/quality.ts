import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { QUALITY_RULES, type QualityFinding } from '../../records/rules/quality-finding.js';
import { QualityReport, QualityTally, type QualitySummary } from '../../services/quality/quality-report.js';
import { type QualityRequest, QualityService } from '../../services/quality/quality-service.js';
import type { ExitCode } from '../cli-error.js';
import { type ArgumentsOf, defineCommand } from '../command.js';
import { writeReport } from '../files/write-report.js';
import type { Io } from '../io.js';
import { type OpenedClient, type ProjectChoice, withClient } from '../open-client.js';
import { outputFile } from '../options/file-options.js';
import { byDagOption, checkList, LIST_COMBINATIONS, listForm, listOptions } from '../options/list-options.js';
import { choice, number, texts } from '../options/option.js';
import { periodOf, periodOptions, refuseBlanks, toIds, toList } from '../options/shared-options.js';
import { summaryOfFindings, toFindingsTable } from '../printing/findings.js';
import { counted, terminalWidth } from '../printing/table.js';
import { writeDagWorkbooks } from './dag-workbooks.js';

const args = {
  forms: texts('Only findings on these instruments'),
  records: texts('Only these records'),
  rules: choice('Only findings of these rules', QUALITY_RULES, { array: true }),
  from: periodOptions('Only findings on what was entered or changed, as the log says,').from,
  'by-dag': byDagOption,
  'batch-size': number('Records per call to REDCap; default: 500'),
  ...listOptions('report', 'a table on a terminal and json elsewhere'),
} as const;

type QualityArguments = ArgumentsOf<typeof args>;

export const command = defineCommand({
  args,
  examples: {
    '$0 quality --format csv -o findings.csv': 'A list for a spreadsheet',
    '$0 quality --by-dag queries': 'What each data access group has to check, a workbook for each',
    '$0 quality --from 2026-11-20': 'What is new since a day',
    '$0 quality --rules required_empty hidden_value': 'Two of the rules',
  },
  epilogue:
    'Findings name record, event, instance, field and rule, never a value. Exit codes: 0 checked, whatever was found; 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  combinations: LIST_COMBINATIONS,
  check: (values) => {
    refuseBlanks({ forms: values.forms, records: values.records });
    checkList(values, 'json');
  },
  run: async (options, io) => {
    const { forms, records, rules, from, byDag, batchSize, limit } = options;
    const selection = { forms: toList(forms), records: toIds(records), rules, from, batchSize };
    if (byDag !== undefined) return writeForDags({ ...options, folder: byDag }, selection, io);
    const isChosen = options.json || options.format !== undefined;
    if (!isChosen && outputFile(options.output) === undefined && io.stdout.isTTY)
      return printFindings(options, selection, io, limit);
    let summary: QualitySummary | undefined;
    const onSummary = (written: QualitySummary): void => void (summary = written);
    const request = { ...selection, ...listForm(options, 'json'), onSummary };
    return writeReport({ ...options, format: request.format }, io, {
      row: 'finding',
      open: ({ client, settings }, signal, onRows) =>
        new QualityReport(new QualityService(client)).open(
          { ...request, ...periodIn(request, settings), onRows },
          { signal },
        ),
      onDone: () => {
        if (!options.quiet && summary !== undefined) io.stderr.write(summaryOfFindings(summary));
      },
    });
  },
});

/** Writes the findings about each data access group to a workbook; those about the project are for the study team. */
function writeForDags(
  options: QualityArguments & { readonly folder: string },
  request: QualityRequest,
  io: Io,
): Promise<ExitCode> {
  return writeDagWorkbooks(options, io, {
    name: 'Findings',
    columns: ['Field', 'Label', 'Finding'],
    lines: async function* ({ client, settings }, signal) {
      const asked = { ...request, ...periodIn(request, settings) };
      const [{ dictionary }, dagOf] = await Promise.all([
        loadProjectStructure(client, { signal }),
        groupsOfRecords(client, signal),
      ]);
      for await (const finding of new QualityService(client).findings(asked, { signal })) {
        const { record, field, message } = finding;
        if (record === '') continue;
        const label = withoutTags(dictionary.column(field)?.field?.label ?? '');
        yield { ...finding, dag: dagOf.get(record) ?? '', cells: [field, label, message] };
      }
    },
  });
}

function periodIn({ from }: QualityRequest, { project }: OpenedClient['settings']) {
  return periodOf({ from }, project.timeZone);
}

async function groupsOfRecords(
  client: OpenedClient['client'],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const idField = (await client.fields.list({ signal }))[0]?.name ?? '';
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
async function printFindings(
  choice: ProjectChoice,
  request: QualityRequest,
  io: Io,
  limit = MAX_LINES,
): Promise<void> {
  const signal = io.interrupt();
  await withClient(choice, io, async ({ client, settings }) => {
    const shown: QualityFinding[] = [];
    const tally = new QualityTally(request.rules);
    const onRecords = (records: number): void => tally.setRecords(records);
    const counting = { ...request, ...periodIn(request, settings), onRecords };
    for await (const finding of new QualityService(client).findings(counting, { signal })) {
      tally.add(finding);
      if (shown.length < Math.min(limit, MAX_LINES)) shown.push(finding);
    }
    io.stdout.write(toFindingsTable(shown, terminalWidth(io.stdout)));
    const { summary } = tally;
    const { findings: count } = summary;
    const rest = count > shown.length ? `; the first ${shown.length} are shown, -o FILE writes all` : '';
    if (choice.quiet !== true)
      io.stderr.write(`${counted(count, 'finding')}${rest}.\n${summaryOfFindings(summary)}`);
  });
}

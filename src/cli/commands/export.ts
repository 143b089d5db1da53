import type { FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { CrfClient, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { type ExportRequest, RecordExporter } from '../../records/export/record-exporter.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { defineCommand } from '../command.js';
import { exportTarget, type ExportTarget } from '../files/file-target.js';
import { resumePoint } from '../files/resume-point.js';
import { orLeftBehind, rowProgress, writeBody } from '../files/write-report.js';
import type { Io } from '../io.js';
import { withClient } from '../open-client.js';
import { refuseCombinations } from '../options/combinations.js';
import {
  BYTE_ORDER_MARK,
  EXPORT_COMBINATIONS,
  exportArgs,
  type ExportArguments,
  FORMAT_COMBINATIONS,
  rowFormat,
  valueForm,
} from '../options/export-options.js';
import { outputFile } from '../options/file-options.js';
import { checkWholeNumbers, periodOf, refuseBlanks, toIds, toList } from '../options/shared-options.js';
import type { Progress } from '../printing/progress.js';
import { counted } from '../printing/table.js';

/**
 * Exports to stdout, or to a file that appears under its name only when it is complete. Until then it is named
 * `FILE.part`.
 */
export const command = defineCommand({
  args: exportArgs,
  examples: {
    '$0 export --fields age --filter-logic "[age] >= 18" --format csv': 'Selected fields of adults',
    '$0 export --forms demographics --raw-or-label label -o demographics.csv': 'One instrument, with labels',
    '$0 export --instrument demographics --values typed': 'Its rows alone, with typed values',
    '$0 export -o all.ndjson --batch-size 500': 'Everything, in batches',
    '$0 export --excel -o study.csv': 'A table for a spreadsheet, with labels',
    '$0 export --workbook study.xlsx': 'A sheet for each instrument, and a codebook',
    '$0 export --as key:stats -o stats.csv --manifest stats.json': 'A de-identified table, and its manifest',
  },
  epilogue:
    'Until the export is complete, the file is named FILE.part and only you can read it. Exit codes: 0 success, 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  combinations: EXPORT_COMBINATIONS,
  check: ({ fields, forms, records, events, filterLogic, ...options }) => {
    refuseBlanks({ fields, forms, records, events }, filterLogic);
    const output = outputFile(options.output);
    refuseCombinations({ ...options, output, format: rowFormat(options) }, FORMAT_COMBINATIONS);
    periodOf(options);
    checkWholeNumbers(options, { '--batch-size': 10_000, '--limit': 1_000_000 });
  },
  run: async (options, io) => {
    const { workbook, force, resume, as } = options;
    const output = outputFile(workbook ?? options.output);
    const isResumable = rowFormat(options) === 'ndjson';
    const target = await exportTarget(output, { isForced: force, isResumed: resume, isResumable }, io);
    return withClient({ ...options, needsProject: output !== undefined }, io, async (opened) => {
      const progress = rowProgress(io, 'rows', options.quiet, output);
      const fail = (text: string): void => progress.fail(text);
      return orLeftBehind(target, io, fail, async () => {
        const { client, finish } =
          as === undefined
            ? { client: opened.client, finish: () => Promise.resolve([]) }
            : await (await import('./export-as.js')).exportAs({ ...options, as }, opened, io);
        const write = workbook === undefined ? exportTo : exportToWorkbook;
        const period = periodOf(options, opened.settings.project.timeZone);
        const rows = await write(target, { options: { ...options, ...period }, client, progress, io });
        for (const warning of await finish(rows)) io.stderr.write(`Manifest: ${warning}.\n`);
        progress.end(`Exported ${counted(rows, 'row')}${output === undefined ? '' : ` to ${output}`}`);
      });
    });
  },
});

interface Work {
  readonly options: ExportArguments;
  readonly client: CrfClient;
  readonly progress: Progress;
  readonly io: Io;
}

async function exportToWorkbook(
  target: ExportTarget,
  { options, client, progress, io }: Work,
): Promise<number> {
  const { exportWorkbook } = await import('./export-workbook.js');
  const { fields: _, ...selection } = toSelection(options);
  const onRows = (rows: number): void => progress.show(rows, 0);
  const choice = { ...selection, batchSize: options.batchSize };
  return exportWorkbook(target, client, choice, onRows, io.interrupt());
}

/** @returns the number of rows of the whole file */
async function exportTo(target: ExportTarget, { options, client, progress, io }: Work): Promise<number> {
  const signal = io.interrupt();
  const selection = await withRecordId(toSelection(options), client, signal);
  const part = await target.remainder();
  const point = part && (await resumePoint(client, part, selection, signal).catch(closing(part)));
  const rowsBefore = point?.rows ?? 0;
  const remainder = part && { handle: part, bytes: point?.bytes ?? 0 };
  if (point?.remaining.length === 0) {
    await finished((await (await target.open(remainder)).begin()).end());
    await target.complete();
    return rowsBefore;
  }
  let [rows, share]: [number, number | undefined] = [0, undefined];
  const request: ExportRequest = {
    ...selection,
    // The remaining records by ID, in batches, to limit the length of the parameter.
    ...(point && { records: point.remaining, batchSize: 500 }),
    ...(options.batchSize !== undefined && { batchSize: options.batchSize }),
    ...(options.limit !== undefined && { limit: options.limit }),
    format: rowFormat(options),
    spreadsheetSafe: valueForm(options).spreadsheetSafe,
    ...(options.trailer && { trailer: true }),
    hasEnvelope: false,
    onRows: (count) => (rows = count),
    onProgress: ({ records, total }) => (share = total === undefined ? undefined : records / total),
  };
  const open = async (): Promise<RecordsBody> => {
    const body = await openBody(client, request, options, signal);
    // Notes only; whether the logic is valid is decided by REDCap.
    for (const { at, message } of body.filterNotes ?? [])
      io.stderr.write(`--filter-logic at character ${at}: ${message}.\n`);
    return body;
  };
  await writeBody(target, open, {
    remainder,
    before: options.excel ? BYTE_ORDER_MARK : undefined,
    signal,
    onBytes: (bytes) => progress.show(rowsBefore + rows, bytes, share),
  });
  return rowsBefore + rows;
}

function closing(part: FileHandle): (error: unknown) => Promise<never> {
  return async (error) => {
    await part.close();
    throw error;
  };
}

/** Opens REDCap's bytes unchanged, or rows that are parsed here. */
async function openBody(
  client: CrfClient,
  request: ExportRequest,
  { instrument, values, labels, missing }: ExportArguments,
  signal: AbortSignal,
): Promise<RecordsBody> {
  if (instrument === undefined && values === 'raw')
    return new RecordExporter(client).open(request, { signal });
  const { TypedExporter } = await import('../../records/typed/typed-exporter.js');
  const typed = { ...request, values, missing, instrument, ...(labels && { labels }) };
  return new TypedExporter(client).open(typed, { signal });
}

/**
 * Adds the record id to some fields or forms. REDCap itself leaves it out, and with it the event and the instance, so
 * that nobody can tell whose values the rows are. Rows of EAV always name their record.
 */
async function withRecordId(
  selection: RecordSelection,
  client: CrfClient,
  signal: AbortSignal,
): Promise<RecordSelection> {
  const { fields, forms, type } = selection;
  if (type === 'eav' || (fields ?? forms) === undefined) return selection;
  const idField = (await client.fields.list({ signal }))[0]?.name;
  if (idField === undefined || fields?.includes(idField)) return selection;
  return { ...selection, fields: [idField, ...(fields ?? [])] };
}

function toSelection(options: ExportArguments): RecordSelection {
  const { fields, forms, records, events, filterLogic, from, until, excel } = options;
  const { spreadsheetSafe: _, ...form } = valueForm(options);
  return {
    ...form,
    fields: toList(fields),
    forms: toList(forms),
    records: toIds(records),
    events: toList(events),
    filterLogic,
    from,
    until,
    type: options.type,
    exportSurveyFields: options.exportSurveyFields || undefined,
    exportDataAccessGroups: options.exportDataAccessGroups || excel || undefined,
    exportBlankForGrayFormStatus: options.exportBlankForGrayFormStatus || undefined,
    combineCheckboxOptions: options.combineCheckboxOptions || undefined,
  };
}

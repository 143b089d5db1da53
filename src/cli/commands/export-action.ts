import type { FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { CrfClient, LogicNote, RecordSelection } from '../../gateways/redcap/crf-client.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { RecordExporter, type ExportRequest } from '../../records/export/record-exporter.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import type { ExportAs } from './export-as.js';
import type { ExportArguments } from './export.js';
import { counted } from '../printing/counted.js';
import { exitCodeOf } from '../exit-code-of.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { exportTarget } from '../files/export-target.js';
import { outputFile } from '../options/hyphens.js';
import { interruptSignal } from '../interrupt.js';
import { toIds } from '../options/id-list-option.js';
import { toList } from '../options/list-option.js';
import { BYTE_ORDER_MARK, valueForm } from '../options/row-options.js';
import { withClient, type OpenedClient } from '../open-client.js';
import type { ExportTarget, TargetOptions } from '../files/output-target.js';
import { Progress } from '../printing/progress.js';
import { describeFailure } from '../report-failure.js';
import { resumePoint, type ResumePoint } from '../files/resume-point.js';
import { writeOutput } from '../files/write-output.js';

/** The options of the command, with the format that they choose. */
type ExportOptions = Omit<ExportArguments, 'format'> & {
  readonly format: RowFormat;
  /** Whether the JSON is a dataset of CDISC Dataset-JSON. */
  readonly isDataset: boolean;
};

/**
 * Exports to stdout, or to a file that appears under its name only when it is complete. Until then it is named
 * `FILE.part`.
 *
 * @returns the exit code
 */
export async function runExport(options: ExportOptions): Promise<ExitCode> {
  const signal = interruptSignal();
  const { workbook } = options;
  const output = outputFile(workbook ?? options.output);
  const target = await exportTarget(output, targetOptions(options), signal);
  const project = { ...options, needsProject: output !== undefined };
  return withClient(project, async (opened) => {
    // If records are printed on the terminal, a progress line would overwrite them.
    const progress = new Progress({
      what: 'rows',
      isQuiet: options.quiet,
      ...(output === undefined && process.stdout.isTTY && { isDrawn: false }),
    });
    try {
      const { client, finish } = await sourceOf(options, opened, signal);
      const rows =
        workbook === undefined
          ? await exportTo(target, options, client, progress, signal)
          : await exportToWorkbook(target, options, client, progress, signal);
      for (const warning of await finish(rows)) process.stderr.write(`Manifest: ${warning}.\n`);
      progress.end(`Exported ${counted(rows, 'row')}${output === undefined ? '' : ` to ${output}`}`);
      return EXIT_CODES.ok;
    } catch (error) {
      progress.fail(
        `${signal.aborted ? 'Interrupted.' : describeFailure(error)}\n${await target.leftBehind()}`,
      );
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

/** The project, or what a caller of the service sees of it. */
async function sourceOf(
  options: ExportOptions,
  opened: OpenedClient,
  signal: AbortSignal,
): Promise<ExportAs> {
  const { as } = options;
  if (as === undefined) return { client: opened.client, finish: () => Promise.resolve([]) };
  const { exportAs } = await import('./export-as.js');
  return exportAs({ ...options, as }, opened, signal);
}

async function exportToWorkbook(
  target: ExportTarget,
  options: ExportOptions,
  client: CrfClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const { exportWorkbook } = await import('./export-workbook.js');
  const { fields: _, ...selection } = toSelection(options);
  return exportWorkbook(
    target,
    client,
    { ...selection, batchSize: options.batchSize },
    (rows) => progress.show(rows, 0),
    signal,
  );
}

async function exportTo(
  target: ExportTarget,
  options: ExportOptions,
  client: CrfClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const selection = await withRecordId(toSelection(options), client, signal);
  const part = await target.remainder();
  const point = part && (await pointOf(part, client, selection, signal));
  const rowsBefore = point?.rows ?? 0;
  const opened = await target.open(part && { handle: part, bytes: point?.bytes ?? 0 });
  if (point?.remaining.length === 0) {
    await finished((await opened.begin()).end());
    await target.complete();
    return rowsBefore;
  }
  let [rows, share]: [number, number | undefined] = [0, undefined];
  const request: ExportRequest = {
    ...selection,
    ...forResume(point),
    ...(options.batchSize !== undefined && { batchSize: options.batchSize }),
    ...(options.limit !== undefined && { limit: options.limit }),
    format: options.format,
    spreadsheetSafe: valueForm(options).spreadsheetSafe,
    ...(options.trailer && { trailer: true }),
    hasEnvelope: false,
    onRows: (count) => (rows = count),
    onProgress: ({ records, total }) => (share = total === undefined ? undefined : records / total),
  };
  const body = await openBody(client, request, options, signal).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  if (body.filterNotes !== undefined) printNotes(body.filterNotes);
  const sink = await opened.begin().catch((error: unknown) => {
    body.cancel();
    throw error;
  });
  if (options.excel) sink.write(BYTE_ORDER_MARK);
  await writeOutput(body, sink, signal, (bytes) => progress.show(rowsBefore + rows, bytes, share));
  await target.complete();
  return rowsBefore + rows;
}

/** Opens REDCap's bytes unchanged, or rows that are parsed here. */
async function openBody(
  client: CrfClient,
  request: ExportRequest,
  { instrument, values, labels, missing, isDataset }: ExportOptions,
  signal: AbortSignal,
): Promise<RecordsBody> {
  if (instrument === undefined && values === 'raw')
    return new RecordExporter(client).open(request, { signal });
  const { TypedExporter } = await import('../../records/typed/typed-exporter.js');
  const exporter = new TypedExporter(client);
  if (instrument !== undefined && isDataset)
    return exporter.openDataset({ ...request, instrument }, { signal });
  const typed = { ...request, values, missing, ...(labels && { labels }) };
  return instrument === undefined
    ? exporter.open(typed, { signal })
    : exporter.openInstrument({ ...typed, instrument }, { signal });
}

async function pointOf(
  part: FileHandle,
  client: CrfClient,
  selection: RecordSelection,
  signal: AbortSignal,
): Promise<ResumePoint | undefined> {
  try {
    return await resumePoint(client, part, selection, signal);
  } catch (error) {
    await part.close();
    throw error;
  }
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
  const idField = (await client.getMetadata({ signal }))[0]?.name;
  if (idField === undefined || fields?.includes(idField)) return selection;
  return { ...selection, fields: [idField, ...(fields ?? [])] };
}

/** Selects the remaining records by ID, in batches, to limit the length of the parameter. */
function forResume(point: ResumePoint | undefined): { records?: readonly string[]; batchSize?: number } {
  return point === undefined ? {} : { records: point.remaining, batchSize: 500 };
}

/** Prints notes only; whether the logic is valid is decided by REDCap. */
function printNotes(notes: readonly LogicNote[]): void {
  for (const { at, message } of notes) process.stderr.write(`--filter at character ${at}: ${message}.\n`);
}

function targetOptions({ force, resume, format }: ExportOptions): TargetOptions {
  return { isForced: force, isResumed: resume, isResumable: format === 'ndjson' };
}

function toSelection(options: ExportOptions): RecordSelection {
  const { fields, forms, records, events, filter, since, until, excel } = options;
  const { spreadsheetSafe: _, ...form } = valueForm(options);
  return {
    ...form,
    fields: toList(fields),
    forms: toList(forms),
    records: toIds(records),
    events: toList(events),
    filterLogic: filter,
    dateRangeBegin: since,
    dateRangeEnd: until,
    type: options.type,
    exportSurveyFields: options.surveyFields || undefined,
    exportDataAccessGroups: options.dags || excel || undefined,
    exportBlankForGrayFormStatus: options.blankUnsavedStatus || undefined,
    combineCheckboxOptions: options.combineCheckboxes || undefined,
  };
}

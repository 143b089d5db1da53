import { CrfError } from '../../domain/errors/crf-error.js';
import { ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import { SeenChanges } from '../../records/import/seen-changes.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import {
  type ImportCallOptions,
  type ImportOutcome,
  type ImportRequest,
  RecordWriter,
} from '../../services/record-writer.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { describeFailure, exitCodeOf } from '../describe-failure.js';
import { ChangeReport, ProblemReport } from '../files/problem-report.js';
import { openImport } from '../files/read-files.js';
import type { UndoFile } from '../files/undo-file.js';
import type { Io } from '../io.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { importFormat } from '../options/file-options.js';
import { IMPORT_COMBINATIONS, importArgs, type ImportArguments } from '../options/import-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/shared-options.js';
import { changesInWords, importSummary, importWarnings, whatWasStored } from '../printing/import-summary.js';
import { Progress } from '../printing/progress.js';
import { terminalWidth } from '../printing/table.js';
import { openUndoFile } from './import-undo-file.js';

export const command = defineCommand({
  args: importArgs,
  examples: {
    '$0 import records.csv --dry-run': 'Validate a file without sending it',
    '$0 import records.csv --dry-run --report problems.csv': 'List every problem',
    '$0 import visits.csv --diff --verify': 'See what would change, store that, and read it back',
    '$0 import visits.csv --date-format DMY --decimal-character ,': 'As in 31.12.2026 and 1.234,5',
    '$0 import visits.csv --undo visits.undo': 'Keep what is replaced there; after a failure: go on',
    '$0 import rows.ndjson --values typed': 'Import numbers, booleans, lists and null',
    '$0 import - --format ndjson < records.ndjson': 'Import from another program',
  },
  epilogue:
    'An import that fits in one call to REDCap is stored completely or not at all; for larger ones the summary says what was stored. What is replaced is kept in an undo file, unless the project is the sandbox. Exit codes: 0 success, 1 refused, 2 usage, 3 credentials refused, 4 unreachable or timed out, 5 stored, but not all: a value differs, or somebody changed it meanwhile, 130 interrupted.',
  combinations: IMPORT_COMBINATIONS,
  check: ({ file, format, sheet, csvDelimiter, encoding, values, ...others }) => {
    importFormat(format, String(file));
    if (!isWorkbookName(String(file))) {
      if (sheet !== undefined) throw new Error('--sheet is for a workbook (.xlsx)');
    } else if ([csvDelimiter, encoding, values].some((option) => option !== undefined))
      throw new Error('--csv-delimiter, --encoding and --values cannot be combined with a workbook');
    checkWholeNumbers(others, { '--batch-size': 100_000, '--from-row': MAX_INTEGER });
  },
  run: (options, io) => runImport({ ...options, format: importFormat(options.format, options.file) }, io),
});

/** The options of the command, with the format that they choose. */
type ImportOptions = ImportArguments & { readonly format: RowFormat };

/** What stores the rows of a command. */
interface Work {
  readonly options: ImportOptions;
  readonly writer: RecordWriter;
  readonly io: Io;
}

/** Imports a file and always reports exactly what was stored. */
async function runImport(options: ImportOptions, io: Io): Promise<ExitCode> {
  return withClient({ ...options, needsProject: true }, io, async (opened) => {
    const { client, settings } = opened;
    const { imports } = settings.project;
    const limits = { ...imports, batchSize: options.batchSize ?? imports.batchSize };
    const work = { options, writer: new RecordWriter(client, limits, undefined, client), io };
    const isShown = (options.diff && !options.yes) || options.diffCsv !== undefined;
    if (!options.dryRun && !isShown) return storeOnce(work, opened, {});
    const seen = new SeenChanges(options.onConflict === 'fail');
    const onChange = (change: ImportChange): void => seen.add(change);
    const first = await runOnce({ ...work, options: { ...options, dryRun: true } }, { onChange });
    const changesAnything = (first.outcome?.changes?.first.length ?? 0) > 0;
    if (!changesAnything || !asksToStore(options, io)) return first.exitCode;
    if (seen.isFull)
      throw new CliError('More than a million changes cannot be stored from here: import the file in parts.');
    await confirm('Store this', false, io);
    return storeOnce(work, opened, options.onConflict === 'ours' ? {} : { seen });
  });
}

/** Stores a file, or the rest of one, and keeps what it replaces. */
async function storeOnce(work: Work, opened: OpenedClient, call: RunCall): Promise<ExitCode> {
  const options = { ...work.options, dryRun: false };
  const undo = options.forceAutoNumber
    ? undefined
    : await openUndoFile(options, requestOf(options), opened, work.io.interrupt());
  const { journal, fromRow = options.fromRow } = undo ?? {};
  const run = await runOnce({ ...work, options: { ...options, fromRow } }, { ...call, journal });
  if (run.hasStored) await journal?.close(run.outcome === undefined ? undefined : 'complete');
  else await journal?.discard();
  return run.exitCode;
}

/** Whether the person who sees the changes is asked to store them: never what can be read only once. */
function asksToStore({ diff, diffCsv, dryRun, yes, json, file }: ImportOptions, io: Io): boolean {
  if (!diff || diffCsv !== undefined || dryRun || yes || json || file === '-') return false;
  return io.stdin().isTTY === true && io.stderr.isTTY === true;
}

/** The exit code of a run, and its outcome if it succeeded. */
interface Run {
  readonly exitCode: ExitCode;
  readonly outcome?: ImportOutcome;
  /** Whether something was stored, or may have been. */
  readonly hasStored: boolean;
}

/** What is done with the changes of a run: with `seen`, these are stored, and have been shown. */
interface RunCall extends Pick<ImportCallOptions, 'seen' | 'onChange'> {
  readonly journal?: UndoFile | undefined;
}

async function runOnce({ writer, options, io }: Work, { seen, journal, onChange }: RunCall): Promise<Run> {
  const { dryRun, file, json, diff } = options;
  const signal = io.interrupt();
  const progress = new Progress(io, { what: 'rows', isQuiet: options.quiet });
  const report = options.report === undefined ? undefined : new ProblemReport(options.report, io.stdout);
  const changes = options.diffCsv === undefined ? undefined : new ChangeReport(options.diffCsv, io.stdout);
  let rows = 0;
  try {
    const outcome = await writer.write(
      await openImport(file, io, options, (bytes, share) => progress.show(rows, bytes, share), signal),
      requestOf(options),
      { scope: 'cli' },
      {
        signal,
        mayReadRecords: true,
        onRows: (count) => (rows = count),
        seen,
        journal,
        onChange: (change) => {
          onChange?.(change);
          changes?.add(change);
        },
        ...(report && {
          onProblem: (problem) => report.add(problem),
          onWarning: ({ field, message, ...place }) =>
            report.add({ ...place, field, message: `warning: ${message}` }),
        }),
      },
    );
    report?.close();
    changes?.close();
    progress.end(importSummary(outcome), importWarnings(outcome, report?.name));
    io.stderr.write(undoInWords(journal));
    if (json) io.stdout.write(`${JSON.stringify(outcome)}\n`);
    else if (diff && seen === undefined && outcome.changes !== undefined)
      io.stdout.write(changesInWords(outcome.changes, terminalWidth(io.stdout)));
    const failure = report?.failure ?? changes?.failure;
    if (failure === undefined)
      return { exitCode: isPartial(outcome) ? EXIT_CODES.partial : EXIT_CODES.ok, outcome, hasStored: true };
    progress.fail(failure);
    return { exitCode: EXIT_CODES.failed, outcome, hasStored: true };
  } catch (error) {
    const reported = report === undefined ? [] : describeReport(report, error);
    changes?.close();
    const failure = signal.aborted ? 'Interrupted.' : describeFailure(error, io);
    progress.fail(
      [
        failure,
        ...reported,
        whatWasStored(
          error,
          dryRun,
          io.args,
          journal?.exists ? { path: journal.path, canGoOn: file !== '-' } : undefined,
        ),
      ].join('\n'),
    );
    return {
      exitCode: signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error),
      hasStored: error instanceof ImportInterruptedError,
    };
  }
}

/** Says where what was replaced is kept. */
function undoInWords(journal: UndoFile | undefined): string {
  if (journal?.isGivenUp) return 'No undo file is kept: this token may not read what it replaces.\n';
  return journal?.exists ? `Undo with: crf undo ${journal.path}\n` : '';
}

/** Whether something was not stored as it was asked for. */
function isPartial({ verified, conflicts }: ImportOutcome): boolean {
  return conflicts !== undefined || (verified !== undefined && verified.differs + verified.absent > 0);
}

function requestOf(options: ImportOptions): ImportRequest {
  const { format, dryRun, diff, diffCsv, verify, type, csvDelimiter, encoding, dateFormat } = options;
  const { values, fromRow, limits, keepMisfits, only, forceAutoNumber } = options;
  return {
    format,
    dryRun,
    ...((diff || diffCsv !== undefined) && { changes: true }),
    verify: verify && !dryRun,
    ...(only && { only }),
    ...(forceAutoNumber && { forceAutoNumber, returnContent: 'auto_ids' as const }),
    overwriteBehavior: options.overwriteBehavior ?? 'normal',
    type,
    csvDelimiter,
    encoding,
    dateFormat,
    century: options.century,
    // A spreadsheet drops the zeros at the end that a field may need.
    decimalCharacter: options.decimalCharacter ?? (isWorkbookName(options.file) ? '.' : undefined),
    values,
    fromRow,
    limits,
    keepMisfits,
    rawOrLabel: options.rawOrLabel,
    rawOrLabelHeaders: options.rawOrLabelHeaders,
    inputName: 'file',
  };
}

/** Adds the errors from REDCap, which have not been reported yet, and ends the report. */
function describeReport(report: ProblemReport, error: unknown): string[] {
  if (error instanceof CrfError) for (const problem of error.errors) report.add(problem);
  report.close();
  if (report.failure !== undefined) return [report.failure];
  return report.count === 0 ? [] : [`All problems (${report.count}) are listed in ${report.name}.`];
}

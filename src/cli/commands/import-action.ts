import { CrfError } from '../../domain/errors/crf-error.js';
import { ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import { SeenChanges } from '../../records/import/seen-changes.js';
import {
  RecordWriter,
  type ImportCallOptions,
  type ImportOutcome,
  type ImportRequest,
} from '../../services/record-writer.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import { CliError } from '../cli-error.js';
import { exitCodeOf } from '../exit-code-of.js';
import type { ImportArguments } from './import.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import type { UndoFile } from '../files/undo-file.js';
import { openImport } from '../files/import-source.js';
import { changesInWords } from '../printing/import-changes-in-words.js';
import { importSummary, importWarnings, whatWasStored } from '../printing/import-summary.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { openUndoFile } from './import-undo-file.js';
import { confirm } from '../options/confirm.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import { ChangeReport, ProblemReport } from '../files/problem-report.js';
import { Progress } from '../printing/progress.js';
import { terminalWidth } from '../printing/terminal-width.js';
import { describeFailure } from '../report-failure.js';

/** The options of the command, with the format that they choose. */
type ImportOptions = ImportArguments & { readonly format: RowFormat };

/** Imports a file and always reports exactly what was stored. @returns the exit code */
export async function runImport(options: ImportOptions): Promise<ExitCode> {
  const signal = interruptSignal();
  const project = { ...options, needsProject: true };
  return withClient(project, async (opened) => {
    const {
      client,
      settings: {
        project: { imports },
      },
    } = opened;
    const writer = new RecordWriter(
      client,
      { ...imports, chunkRows: options.batchSize ?? imports.chunkRows },
      undefined,
      client,
    );
    const isShown = (options.diff && !options.yes) || options.diffCsv !== undefined;
    const seen = new SeenChanges(options.onConflict === 'fail');
    const store = async (call: Pick<ImportCallOptions, 'seen'>): Promise<ExitCode> =>
      storeOnce(writer, options, opened, signal, call);
    if (!options.dryRun && !isShown) return store({});
    const first = await runOnce(writer, { ...options, dryRun: true }, signal, {
      onChange: (change) => seen.add(change),
    });
    if (!changesAnything(first.outcome) || !asksToStore(options)) return first.exitCode;
    if (seen.isFull)
      throw new CliError('More than a million changes cannot be stored from here: import the file in parts.');
    await confirm('Store this', false);
    return store(options.onConflict === 'ours' ? {} : { seen });
  });
}

/** Stores a file, or the rest of one, and keeps what it replaces. */
async function storeOnce(
  writer: RecordWriter,
  options: ImportOptions,
  opened: OpenedClient,
  signal: AbortSignal,
  call: Pick<ImportCallOptions, 'seen'>,
): Promise<ExitCode> {
  const chosen = { ...options, dryRun: false };
  const undo = options.forceAutoNumber
    ? undefined
    : await openUndoFile(options, requestOf(chosen), opened, signal);
  const { journal, fromRow = options.fromRow } = undo ?? {};
  const { exitCode, outcome, hasStored } = await runOnce(writer, { ...chosen, fromRow }, signal, {
    ...call,
    journal,
  });
  if (hasStored) await journal?.close(outcome === undefined ? undefined : 'complete');
  else await journal?.discard();
  return exitCode;
}

/** Whether the person who sees the changes is asked to store them: never what can be read only once. */
function asksToStore({ diff, diffCsv, dryRun, yes, json, file }: ImportOptions): boolean {
  if (!diff || diffCsv !== undefined || dryRun || yes || json || file === '-') return false;
  return process.stdin.isTTY && process.stderr.isTTY;
}

function changesAnything(outcome: ImportOutcome | undefined): boolean {
  return (outcome?.changes?.first.length ?? 0) > 0;
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

async function runOnce(
  writer: RecordWriter,
  options: ImportOptions,
  signal: AbortSignal,
  { seen, journal, onChange }: RunCall,
): Promise<Run> {
  const { dryRun, file, json, diff } = options;
  const progress = new Progress({ what: 'rows', isQuiet: options.quiet });
  const report = options.report === undefined ? undefined : new ProblemReport(options.report);
  const changes = options.diffCsv === undefined ? undefined : new ChangeReport(options.diffCsv);
  let rows = 0;
  try {
    const outcome = await writer.write(
      await openImport(file, options, (bytes, share) => progress.show(rows, bytes, share), signal),
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
    process.stderr.write(undoInWords(journal));
    if (json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
    else if (diff && seen === undefined) printChanges(outcome);
    const failure = report?.failure ?? changes?.failure;
    if (failure === undefined)
      return { exitCode: isPartial(outcome) ? EXIT_CODES.partial : EXIT_CODES.ok, outcome, hasStored: true };
    progress.fail(failure);
    return { exitCode: EXIT_CODES.failed, outcome, hasStored: true };
  } catch (error) {
    const reported = report === undefined ? [] : describeReport(report, error);
    changes?.close();
    const failure = signal.aborted ? 'Interrupted.' : describeFailure(error);
    progress.fail(
      [
        failure,
        ...reported,
        whatWasStored(
          error,
          dryRun,
          process.argv.slice(2),
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

function printChanges({ changes }: ImportOutcome): void {
  if (changes === undefined) return;
  process.stdout.write(changesInWords(changes, terminalWidth(process.stdout)));
}

function requestOf(options: ImportOptions): ImportRequest {
  const { format, dryRun, diff, diffCsv, verify, overwrite, type, delimiter, encoding, dateFormat } = options;
  const { values, fromRow, limits, keepMisfits, onlyExisting, onlyNew, forceAutoNumber } = options;
  return {
    format,
    dryRun,
    ...((diff || diffCsv !== undefined) && { changes: true }),
    verify: verify && !dryRun,
    ...(onlyExisting && { only: 'existing' as const }),
    ...(onlyNew && { only: 'new' as const }),
    ...(forceAutoNumber && { forceAutoNumber, returnContent: 'auto_ids' as const }),
    overwriteBehavior: overwrite ? 'overwrite' : 'normal',
    type,
    csvDelimiter: delimiter,
    encoding,
    dateFormat,
    century: options.century,
    // A spreadsheet drops the zeros at the end that a field may need.
    decimalCharacter: options.decimal ?? (isWorkbookName(options.file) ? '.' : undefined),
    values,
    fromRow,
    limits,
    keepMisfits,
    ...(options.label && { rawOrLabel: 'label' as const }),
    ...(options.headerLabels && { rawOrLabelHeaders: 'label' as const }),
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

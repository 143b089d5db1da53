import { importConcurrencyOf } from '../../config/import-concurrency.js';
import { CrfError } from '../../errors/crf-error.js';
import { RecordWriter, type ImportRequest } from '../../services/record-writer.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import { exitCodeOf } from '../exit-code-of.js';
import type { ImportArguments } from '../commands/import.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { openImport } from '../files/import-source.js';
import { importSummary, whatWasStored } from '../printing/import-summary.js';
import { interruptSignal } from '../interrupt.js';
import { withClient } from '../open-client.js';
import { ProblemReport } from '../files/problem-report.js';
import { Progress } from '../printing/progress.js';
import { describeFailure } from '../report-failure.js';

/** The options of the command, with the format that they choose. */
type ImportOptions = ImportArguments & { readonly format: RowFormat };

/** Imports a file and always reports exactly what was stored. @returns the exit code */
export async function runImport(options: ImportOptions): Promise<ExitCode> {
  const signal = interruptSignal();
  const project = { ...options, needsProject: true };
  return withClient(project, async ({ client, settings: { values } }) => {
    const progress = new Progress({ what: 'rows', isQuiet: options.quiet });
    const writer = new RecordWriter(
      client,
      {
        recordIdMinLength: values.RECORD_ID_MIN_LENGTH,
        chunkRows: options.batchSize ?? values.IMPORT_CHUNK_ROWS,
        chunkBytes: values.IMPORT_CHUNK_BYTES,
        concurrency: importConcurrencyOf(values),
        limitBytes: values.IMPORT_LIMIT_BYTES,
      },
      undefined,
      client,
    );
    const { dryRun, file } = options;
    let rows = 0;
    const report = options.report === undefined ? undefined : new ProblemReport(options.report);
    try {
      const outcome = await writer.write(
        await openImport(file, (bytes, share) => progress.show(rows, bytes, share), signal),
        requestOf(options),
        { scope: 'cli' },
        {
          signal,
          mayReadRecords: true,
          onRows: (count) => (rows = count),
          ...(report && {
            onProblem: (problem) => report.add(problem),
            onWarning: ({ field, message, ...place }) =>
              report.add({ ...place, field, message: `warning: ${message}` }),
          }),
        },
      );
      report?.close();
      progress.end(importSummary(outcome, report?.name));
      if (report?.failure === undefined) return EXIT_CODES.ok;
      progress.fail(report.failure);
      return EXIT_CODES.failed;
    } catch (error) {
      const reported = report === undefined ? [] : describeReport(report, error);
      const failure = signal.aborted ? 'Interrupted.' : describeFailure(error);
      progress.fail([failure, ...reported, whatWasStored(error, dryRun, process.argv.slice(2))].join('\n'));
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

function requestOf(options: ImportOptions): ImportRequest {
  const {
    format,
    dryRun,
    overwrite,
    type,
    delimiter,
    encoding,
    dateFormat,
    values,
    fromRow,
    limits,
    keepMisfits,
  } = options;
  return {
    format,
    dryRun,
    overwriteBehavior: overwrite ? 'overwrite' : 'normal',
    type,
    csvDelimiter: delimiter,
    encoding,
    dateFormat,
    values,
    fromRow,
    limits,
    keepMisfits,
    inputName: 'file',
  };
}

/** Adds the errors from REDCap, which have not been reported yet, and ends the report. */
function describeReport(report: ProblemReport, error: unknown): string[] {
  if (error instanceof CrfError) {
    for (const problem of error.errors) if (!('row' in problem)) report.add(problem);
  }
  report.close();
  if (report.failure !== undefined) return [report.failure];
  return report.count === 0 ? [] : [`All problems (${report.count}) are listed in ${report.name}.`];
}

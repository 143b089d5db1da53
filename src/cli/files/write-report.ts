import type { RecordsBody } from '../../records/formats/rows-answer.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import { counted } from '../printing/counted.js';
import { exitCodeOf } from '../exit-code-of.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { newFile } from './export-target.js';
import { outputFile } from '../options/hyphens.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { Progress } from '../printing/progress.js';
import { describeFailure } from '../report-failure.js';
import { writeOutput } from './write-output.js';

/** The options of `crf report` and of `crf quality`, besides those that select the rows. */
export interface ReportArguments {
  readonly format: RowFormat;
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly sandbox: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The rows that a command writes. */
export interface Report {
  /** The name of a row, as in `1 finding`. */
  readonly row: string;
  /** Written before the rows. */
  readonly before?: string | undefined;
  /** @param onRows called with the number of rows written so far */
  open(opened: OpenedClient, signal: AbortSignal, onRows: (rows: number) => void): Promise<RecordsBody>;
  /** Called when everything has been written. */
  onDone?(): void;
}

/**
 * Writes rows to stdout, or to a file that appears under its name only when it is complete.
 *
 * @returns the exit code
 */
export async function writeReport(options: ReportArguments, report: Report): Promise<ExitCode> {
  const signal = interruptSignal();
  const { force } = options;
  const output = outputFile(options.output);
  const target = await newFile(output, force, signal);
  return withClient({ ...options, needsProject: output !== undefined }, async (project) => {
    const progress = new Progress({
      what: `${report.row}s`,
      isQuiet: options.quiet,
      ...(output === undefined && process.stdout.isTTY && { isDrawn: false }),
    });
    try {
      const opened = await target.open();
      let rows = 0;
      const body = await report
        .open(project, signal, (count) => (rows = count))
        .catch(async (error: unknown) => {
          await opened.close();
          throw error;
        });
      const sink = await opened.begin().catch((error: unknown) => {
        body.cancel();
        throw error;
      });
      if (report.before !== undefined) sink.write(report.before);
      await writeOutput(body, sink, signal, (bytes) => progress.show(rows, bytes));
      await target.complete();
      progress.end(`Wrote ${counted(rows, report.row)}${output === undefined ? '' : ` to ${output}`}`);
      report.onDone?.();
      return EXIT_CODES.ok;
    } catch (error) {
      progress.fail(
        `${signal.aborted ? 'Interrupted.' : describeFailure(error)}\n${await target.leftBehind()}`,
      );
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

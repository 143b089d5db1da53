import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { heard } from '../../domain/bytes/heard.js';
import { CancelledError } from '../../domain/errors/caller-errors.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { describeFailure, exitCodeOf } from '../describe-failure.js';
import type { GlobalArguments } from '../command.js';
import type { Io } from '../io.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { outputFile } from '../options/file-options.js';
import { Progress } from '../printing/progress.js';
import { counted } from '../printing/table.js';
import { type ExportTarget, newFile, type Remainder } from './file-target.js';

/** The options of `crf reports get` and of `crf quality`, besides those that select the rows. */
export interface ReportArguments extends GlobalArguments {
  readonly format: RowFormat;
  readonly output?: string | undefined;
  readonly force: boolean;
}

export interface Report {
  /** The name of a row, as in `1 finding`. */
  readonly row: string;
  /** Written before the rows. */
  readonly before?: string | undefined;
  /** @param onRows called with the number of rows written so far */
  open(opened: OpenedClient, signal: AbortSignal, onRows: (rows: number) => void): Promise<RecordsBody>;
  onDone?(): void;
}

/**
 * Writes rows to stdout, or to a file that appears under its name only when it is complete.
 *
 * @returns the exit code
 */
export async function writeReport(options: ReportArguments, io: Io, report: Report): Promise<ExitCode> {
  const output = outputFile(options.output);
  const target = await newFile(output, options.force, io);
  return withClient({ ...options, needsProject: output !== undefined }, io, async (project) => {
    const progress = rowProgress(io, `${report.row}s`, options.quiet, output);
    return orLeftBehind(
      target,
      io,
      (text) => progress.fail(text),
      async () => {
        let rows = 0;
        await writeBody(target, () => report.open(project, io.interrupt(), (count) => (rows = count)), {
          before: report.before,
          signal: io.interrupt(),
          onBytes: (bytes) => progress.show(rows, bytes),
        });
        progress.end(`Wrote ${counted(rows, report.row)}${output === undefined ? '' : ` to ${output}`}`);
        report.onDone?.();
      },
    );
  });
}

/** Returns the progress of rows, which is not drawn over those on a terminal. */
export function rowProgress(io: Io, what: string, isQuiet: boolean, output: string | undefined): Progress {
  return new Progress(io, {
    what,
    isQuiet,
    ...(output === undefined && io.stdout.isTTY && { isDrawn: false }),
  });
}

/** Does what writes to a target. If it fails, says why, and what is left of it. @returns the exit code */
export async function orLeftBehind(
  target: ExportTarget,
  io: Io,
  say: (text: string) => void,
  work: () => Promise<void>,
): Promise<ExitCode> {
  try {
    await work();
    return EXIT_CODES.ok;
  } catch (thrown) {
    const isInterrupted = io.interrupt().aborted;
    const error = failureOf(thrown);
    say(`${isInterrupted ? 'Interrupted.' : describeFailure(error, io)}\n${await target.leftBehind()}`);
    return isInterrupted ? EXIT_CODES.interrupted : exitCodeOf(error);
  }
}

/** Converts file system errors, such as a full disk. */
function failureOf(error: unknown): unknown {
  const { syscall, code, name } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall !== undefined)
    return new CliError(`The output could not be written (${code}).`, EXIT_CODES.failed, { cause: error });
  return name === 'AbortError' ? new CancelledError({ cause: error }) : error;
}

interface Writing {
  /** The partial file that is gone on with. */
  readonly remainder?: Remainder | undefined;
  /** Written before the body. */
  readonly before?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far. */
  readonly onBytes: (bytes: number) => void;
}

/** Writes a body to a target, which is not changed before the body is there. */
export async function writeBody(
  target: ExportTarget,
  open: () => Promise<Pick<RecordsBody, 'pipeTo' | 'cancel'>>,
  { remainder, before, signal, onBytes }: Writing,
): Promise<void> {
  const opened = await target.open(remainder);
  const body = await open().catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const sink = await opened.begin().catch((error: unknown) => {
    body.cancel();
    throw error;
  });
  if (before !== undefined) sink.write(before);
  await writeOutput(body, sink, signal, onBytes);
  await target.complete();
}

/**
 * Writes a body to a sink.
 *
 * @param onBytes called with the number of bytes so far
 * @throws {CliError} the sink failed, not the body
 */
async function writeOutput(
  body: { pipeTo(sink: Writable): Promise<void> },
  sink: Writable,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  const counter = heard(new PassThrough());
  counter.on('data', (chunk: Buffer) => onBytes((bytes += chunk.length)));
  const outcomes = await Promise.allSettled([body.pipeTo(counter), pipeline(counter, sink, { signal })]);
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure?.status !== 'rejected') return;
  if (signal.aborted) throw abortionOf(signal);
  const { errored } = sink as { errored: NodeJS.ErrnoException | null };
  // For example, the disk is full. Streams that fail only because another one failed have no `syscall` in their error.
  if (errored?.syscall !== undefined)
    throw new CliError(`The output could not be written (${errored.code}).`, EXIT_CODES.failed, {
      cause: errored,
    });
  throw failure.reason;
}

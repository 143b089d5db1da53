import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CancelledError } from '../errors/cancelled-error.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import { RecordExporter } from '../services/record-export.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { interruptSignal } from './interrupt.js';
import { withClient, type OpenedClient } from './open-client.js';
import { Progress } from './progress.js';
import { describeFailure } from './report-failure.js';
import { exitCodeOf } from './exit-codes.js';
import { resumePoint } from './resume-point.js';
import { RowCounter } from './row-counter.js';

export interface ExportArguments {
  readonly format: 'json' | 'ndjson' | 'csv';
  readonly fields?: readonly string[];
  readonly forms?: readonly string[];
  readonly records?: readonly string[];
  readonly events?: readonly string[];
  readonly filter?: string;
  readonly label: boolean;
  readonly batchSize?: number;
  readonly output?: string;
  readonly resume: boolean;
}

/**
 * Exports to stdout, or to a file that appears under its name only when it is whole: until then it is `FILE.part`.
 *
 * @returns the exit code
 */
export async function runExport(options: ExportArguments): Promise<ExitCode> {
  const signal = interruptSignal();
  return withClient(async (opened) => {
    const progress = new Progress('records');
    const part = options.output === undefined ? undefined : `${options.output}.part`;
    try {
      const rows = await exportTo(part, options, opened, progress, signal);
      if (part !== undefined && options.output !== undefined) await rename(part, options.output);
      progress.end(`Exported ${rows} rows${options.output === undefined ? '' : ` to ${options.output}`}`);
      return EXIT_CODES.ok;
    } catch (error) {
      progress.end(`${describeFailure(error)}\n${await leftBehind(part, options)}`);
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

async function exportTo(
  part: string | undefined,
  options: ExportArguments,
  { client }: OpenedClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const point =
    options.resume && part !== undefined
      ? await resumePoint(client, part, toSelection(options), signal)
      : undefined;
  if (point?.remaining?.length === 0) return point.rows;

  const selection = { ...toSelection(options), ...(point && { records: point.remaining }) };
  const body = await new RecordExporter(client).open(
    {
      ...selection,
      format: options.format,
      hasEnvelope: false,
      // What was counted already has to be asked for by name, and not in one parameter of any length.
      batchSize: options.batchSize ?? (point && 500),
    },
    { signal },
  );
  const counter = new RowCounter(options.format, (rows, bytes) =>
    progress.show((point?.rows ?? 0) + rows, bytes),
  );
  const sink: Writable =
    part === undefined
      ? standardOutput()
      : createWriteStream(part, { flags: point === undefined ? 'w' : 'a' });
  const written = pipeline(counter, sink);
  const [poured] = await Promise.allSettled([body.pipeTo(counter), written]);
  if (poured.status === 'rejected') throw signal.aborted ? new CancelledError() : poured.reason;
  await written;
  return (point?.rows ?? 0) + counter.rows;
}

/** Standard output is not ours to end. */
function standardOutput(): Writable {
  const through = new PassThrough();
  through.pipe(process.stdout, { end: false });
  return through;
}

function toSelection({ fields, forms, records, events, filter, label }: ExportArguments): RecordSelection {
  return {
    fields: toList(fields),
    forms: toList(forms),
    records: toList(records),
    events: toList(events),
    filterLogic: filter,
    ...(label && { rawOrLabel: 'label' as const }),
  };
}

/** `--fields a b`, `--fields a,b` and `--fields a --fields b` mean the same. */
function toList(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(',')).filter((value) => value !== '');
}

async function leftBehind(part: string | undefined, { format }: ExportArguments): Promise<string> {
  if (part === undefined) return 'What was written to standard output is not whole.';
  const { size } = await stat(part).catch(() => ({ size: 0 }));
  if (size === 0) return 'Nothing was written.';
  return format === 'ndjson'
    ? `${part} holds the ${size} bytes that were written. Go on with the same command and --resume.`
    : `${part} holds the ${size} bytes that were written; it is not whole.`;
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ImportInterruptedError } from '../errors/import-interrupted-error.js';
import { InvalidRequestError } from '../errors/invalid-request-error.js';
import { RecordWriter } from '../services/record-writer.js';
import { EXIT_CODES, exitCodeOf, type ExitCode } from './exit-codes.js';
import { interruptSignal } from './interrupt.js';
import { withClient } from './open-client.js';
import { Progress } from './progress.js';
import { describeFailure } from './report-failure.js';
import { RowCounter } from './row-counter.js';

export interface ImportArguments {
  readonly file: string;
  readonly format?: 'json' | 'ndjson' | 'csv';
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly batchSize: number;
}

/** Imports a file, and says exactly what was stored, whatever happens. @returns the exit code */
export async function runImport(options: ImportArguments): Promise<ExitCode> {
  const signal = interruptSignal();
  return withClient(async ({ client, settings: { values } }) => {
    const progress = new Progress('rows');
    const writer = new RecordWriter(client, {
      recordIdMinLength: values.RECORD_ID_MIN_LENGTH,
      chunkRows: options.batchSize,
      chunkBytes: values.IMPORT_CHUNK_BYTES,
      limitBytes: values.IMPORT_LIMIT_BYTES,
    });
    const format = options.format ?? formatOf(options.file);
    try {
      const source = await open(options.file, format, progress);
      const { count, batches } = await writer.write(
        source,
        { format, dryRun: options.dryRun, overwriteBehavior: options.overwrite ? 'overwrite' : 'normal' },
        { scope: 'cli' },
        { signal },
      );
      const calls = `${batches} call${batches === 1 ? '' : 's'}`;
      progress.end(
        options.dryRun
          ? `${count} records are valid and would take ${calls}; nothing was sent`
          : `Stored ${count} records in ${calls}`,
      );
      return EXIT_CODES.ok;
    } catch (error) {
      progress.end(`${describeFailure(error)}\n${whatWasStored(error)}`);
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

/** The file, or standard input, with a progress line in between. */
async function open(file: string, format: 'json' | 'ndjson' | 'csv', progress: Progress): Promise<Readable> {
  const total = file === '-' ? undefined : await sizeOf(file);
  const counter = new RowCounter(format, (rows, bytes) =>
    progress.show(rows, bytes, total === undefined ? undefined : bytes / total),
  );
  const input: Readable = file === '-' ? process.stdin : createReadStream(file);
  input.once('error', (error: Error) => counter.destroy(error));
  return input.pipe(counter);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw new InvalidRequestError([{ field: 'file', message: 'must name a file that can be read' }], {
      cause,
    });
  }
}

function formatOf(file: string): 'json' | 'ndjson' | 'csv' {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.json$/i.test(file) ? 'json' : 'ndjson';
}

function whatWasStored(error: unknown): string {
  if (!(error instanceof ImportInterruptedError)) return 'Nothing was stored.';
  const doubt = error.isUncertain ? ' The call that failed may have been stored all the same.' : '';
  return `${error.stored} records were stored. Go on from row ${error.resumeFrom + 1} of the input.${doubt}`;
}

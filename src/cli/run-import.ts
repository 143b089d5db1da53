import { ImportInterruptedError } from '../errors/import-interrupted-error.js';
import { RecordWriter } from '../services/record-writer.js';
import { counted } from './counted.js';
import { exitCodeOf } from './exit-code-of.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { openImport, type ImportFormat } from './import-source.js';
import { interruptSignal } from './interrupt.js';
import { withClient } from './open-client.js';
import { Progress } from './progress.js';
import { describeFailure } from './report-failure.js';

export interface ImportArguments {
  readonly file: string;
  readonly format?: ImportFormat;
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly batchSize?: number;
  readonly sandbox: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Imports a file, and says exactly what was stored, whatever happens. @returns the exit code */
export async function runImport(options: ImportArguments): Promise<ExitCode> {
  const signal = interruptSignal();
  const project = { ...options, needsProject: true };
  return withClient(project, async ({ client, settings: { values } }) => {
    const progress = new Progress({ what: 'rows', isQuiet: options.quiet });
    const writer = new RecordWriter(client, {
      recordIdMinLength: values.RECORD_ID_MIN_LENGTH,
      chunkRows: options.batchSize ?? values.IMPORT_CHUNK_ROWS,
      chunkBytes: values.IMPORT_CHUNK_BYTES,
      limitBytes: values.IMPORT_LIMIT_BYTES,
    });
    const { dryRun, overwrite, file, format = formatOf(file) } = options;
    try {
      const { count, batches } = await writer.write(
        await openImport(file, format, progress, signal),
        { format, dryRun, overwriteBehavior: overwrite ? 'overwrite' : 'normal', inputName: 'file' },
        { scope: 'cli' },
        { signal },
      );
      const [records, calls] = [counted(count, 'record'), counted(batches, 'call')];
      progress.end(
        dryRun
          ? `Valid: ${records}, ${calls} to REDCap. Nothing was sent; checked`
          : `Stored ${records} in ${calls}`,
      );
      return EXIT_CODES.ok;
    } catch (error) {
      progress.fail(
        `${signal.aborted ? 'Interrupted.' : describeFailure(error)}\n${whatWasStored(error, dryRun)}`,
      );
      return signal.aborted ? EXIT_CODES.interrupted : exitCodeOf(error);
    }
  });
}

function formatOf(file: string): ImportFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.json$/i.test(file) ? 'json' : 'ndjson';
}

function whatWasStored(error: unknown, isDryRun: boolean): string {
  if (isDryRun) return 'Nothing was sent.';
  if (!(error instanceof ImportInterruptedError)) return 'Nothing was stored.';
  const { stored, resumeFrom, isUncertain } = error;
  const doubt = isUncertain
    ? ' The call under way may have been stored all the same: importing its rows again does no harm to plain records, but adds another instance where `new` numbers them.'
    : '';
  return `Stored: ${counted(stored, 'record')}. Go on from row ${resumeFrom + 1} of the input.${doubt}`;
}

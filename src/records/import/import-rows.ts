import { Readable } from 'node:stream';
import { ImportIncompleteError, ImportInterruptedError } from '../../errors/upstream-errors.js';
import type { CheckedImportOptions, CheckedImportResult } from '../../gateways/redcap/crf-client.js';
import { ImportBody } from './import-body.js';
import { ImportPipeline, type ImportClient } from './import-pipeline.js';
import { SpareCalls } from './chunk-sender.js';
import type { WarningSource } from './warnings/import-warnings.js';

/**
 * Checks rows as an import of the service does, and stores them in one call, completely or not at all.
 *
 * @param json the rows, as a JSON list
 * @throws {InvalidRecordsError} rows break a rule, or REDCap refused them
 * @throws {ImportIncompleteError} REDCap did not count every record
 * @throws {CrfError} errors of `CrfClient.importData`
 */
export async function importRows(
  client: ImportClient & WarningSource,
  json: string,
  {
    check: _check,
    signal,
    caller,
    traceparent,
    isIdempotent,
    recordIdMinLength,
    ...request
  }: CheckedImportOptions,
): Promise<CheckedImportResult> {
  const pipeline = new ImportPipeline(
    client,
    { ...request, format: 'json' },
    {
      limits: { recordIdMinLength, chunkRows: Infinity, chunkBytes: Infinity },
      call: { signal, caller, traceparent },
      isKeyed: isIdempotent === true,
      spareCalls: new SpareCalls(0),
      records: client,
      stored: client,
    },
  );
  // In small pieces, after which other work may run.
  const body = new ImportBody(Readable.from([Buffer.from(json)]), { limitBytes: Infinity });
  try {
    const { batches: _one, ...outcome } = await pipeline.run(body.pieces());
    return outcome;
  } catch (error) {
    // There is one call, so that its own error says everything, unless it was stored and could not be read back.
    const isPlain =
      error instanceof ImportInterruptedError &&
      !(error instanceof ImportIncompleteError) &&
      error.stored === 0;
    throw isPlain && error.cause !== undefined ? error.cause : error;
  }
}

import { Readable } from 'node:stream';
import { refusal } from '../../domain/errors/refusal.js';
import { ImportIncompleteError, ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import type {
  CheckedImportOptions,
  CheckedImportResult,
  ImportRow,
} from '../../gateways/redcap/crf-client.js';
import { toImportData } from '../../gateways/redcap/record-parameters.js';
import { loadProjectStructure } from '../load-project-structure.js';
import { ImportBody } from './import-body.js';
import { ImportPipeline, type ImportClient } from './import-pipeline.js';
import { checkSeen, SeenRows } from './seen-rows.js';
import { SpareCalls } from './chunk-sender.js';
import type { StoredSource } from './call-review.js';

/**
 * Stores rows in one call, completely or not at all: checked as an import of the service checks them, unless `check` is
 * false.
 *
 * @throws {InvalidRequestError} a value is neither text, a finite number, true, false nor null
 * @throws {InvalidRecordsError} rows break a rule, or REDCap refused them
 * @throws {ImportIncompleteError} REDCap did not count every record
 * @throws {CrfError} errors of `CrfClient.importData`
 */
export async function importRows(
  client: ImportClient & StoredSource,
  rows: readonly ImportRow[],
  options: CheckedImportOptions,
): Promise<CheckedImportResult> {
  const json = toImportData(rows);
  if (rows.length === 0) return { count: 0 };
  return options.check === false
    ? importUnchecked(client, json, rows.length, options)
    : importChecked(client, rows, json, options);
}

async function importChecked(
  client: ImportClient & StoredSource,
  rows: readonly ImportRow[],
  json: string,
  {
    check: _check,
    signal,
    caller,
    traceparent,
    isIdempotent,
    recordIdMinLength,
    seen,
    onConflict,
    ...request
  }: CheckedImportOptions,
): Promise<CheckedImportResult> {
  const call = { signal, caller, traceparent };
  const { changes, dryRun } = request;
  checkConflictOptions(rows, { seen, onConflict, changes, dryRun });
  const pipeline = new ImportPipeline(
    client,
    { ...request, format: 'json' },
    {
      limits: { recordIdMinLength, batchSize: Infinity, chunkBytes: Infinity },
      call,
      seen:
        seen && (await SeenRows.of(await loadProjectStructure(client, call), seen, onConflict !== 'theirs')),
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

/** @throws {InvalidRequestError} names an option without which another one means nothing */
function checkConflictOptions(
  rows: readonly ImportRow[],
  { seen, onConflict, changes, dryRun }: CheckedImportOptions,
): void {
  if (seen === undefined) {
    if (onConflict !== undefined) throw refusal('onConflict', 'needs seen: the rows as they were read');
    return;
  }
  if (!changes || dryRun) throw refusal('seen', 'needs changes: true, without dryRun');
  checkSeen(rows, seen);
}

/** Rows that are not looked at have at least one record, and at most one each. */
async function importUnchecked(
  client: ImportClient,
  json: string,
  sent: number,
  options: CheckedImportOptions,
): Promise<CheckedImportResult> {
  const result = await client.importData(json, { ...options, format: 'json' });
  const { count, isQueued } = result;
  const isPlausible = (isQueued && options.backgroundProcess) || (count >= 1 && count <= sent);
  if (isPlausible) return result;
  throw new ImportIncompleteError(0, 0, { sent, counted: count }, { doubtful: [{ from: 0, to: sent }] });
}

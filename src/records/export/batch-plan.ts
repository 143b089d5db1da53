import { refusal } from '../../domain/errors/refusal.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { Field } from '../../domain/dictionary/field.js';
import type {
  CrfClient,
  FieldSource,
  OpenRecordsOptions,
  RecordSelection,
} from '../../gateways/redcap/crf-client.js';
import {
  MAX_BATCH_SIZE,
  MAX_CONCURRENCY,
  MAX_FIRST_ROWS,
  requestedSelection,
} from '../../gateways/redcap/record-export-options.js';
import { only, parseArgument, withDefaults } from '../../domain/identifiers/check-options.js';

/** The operations of the client that batches need. */
export type BatchClient = FieldSource & Pick<CrfClient, 'openRecords'>;

/** Limits of a batched export. */
export interface BatchLimits {
  /** Maximum number of records per batch; 500 by default. */
  readonly batchSize?: number | undefined;
  /** Export only this many records, the first ones; all by default. */
  readonly recordLimit?: number | undefined;
  /** Batches requested concurrently: 1 to 4, 4 by default, and never more than the client's concurrency limit. */
  readonly concurrency?: number | undefined;
  /** Maximum size of a batch; 32 MiB by default. A larger batch is requested again in smaller parts. */
  readonly maxBatchBytes?: number | undefined;
  /** Maximum number of attempts to read an answer completely; 3 by default. */
  readonly attempts?: number | undefined;
  /**
   * Upper limit of the random delay before the second attempt, in milliseconds; 500 by default. It doubles for each
   * further attempt.
   */
  readonly retryBaseMs?: number | undefined;
}

/** What to export in batches, and with which limits. */
export interface BatchedExportOptions extends OpenRecordsOptions, BatchLimits {}

/** Records per batch. */
export const DEFAULT_BATCH_SIZE = 500;

/** A validated plan of a batched export. */
export interface BatchPlan {
  readonly client: BatchClient;
  readonly selection: OpenRecordsOptions;
  readonly idField: Field;
  readonly limits: Readonly<Record<keyof BatchLimits, number>>;
}

/** Returns the options of a single call, which does not know the limits of batches. */
export function withoutLimits({
  batchSize: _size,
  recordLimit: _records,
  concurrency: _concurrency,
  maxBatchBytes: _bytes,
  attempts: _attempts,
  retryBaseMs: _base,
  ...selection
}: BatchedExportOptions): OpenRecordsOptions {
  return selection;
}

/** The limits where none are given. */
const LIMITS: BatchPlan['limits'] = {
  batchSize: DEFAULT_BATCH_SIZE,
  recordLimit: Infinity,
  concurrency: MAX_CONCURRENCY,
  maxBatchBytes: 32 * 1024 * 1024,
  attempts: 3,
  retryBaseMs: 500,
};

/**
 * Checks that an export can be made in batches.
 *
 * @throws {InvalidIdentifierError} {InvalidRequestError} the selection is refused as by `openRecords`
 * @throws {InvalidRequestError} a limit is out of range, or the record id is not selected. Without the record id it is
 *   impossible to tell whether a batch is complete, and REDCap returns different rows with and without it.
 * @see docs/protocol/redcap.md 4.2, 4.3 (client, inferred)
 */
export async function planBatches(client: BatchClient, options: BatchedExportOptions): Promise<BatchPlan> {
  const selection = withoutLimits(options);
  const limits = withDefaults(LIMITS, only(options, LIMITS));
  wholeNumber('batchSize', limits.batchSize, MAX_BATCH_SIZE);
  wholeNumber('concurrency', limits.concurrency, MAX_CONCURRENCY);
  parseArgument(requestedSelection, selection); // refuses invalid selections before the first request
  const idField = await idFieldOf(client, selection);
  if (!hasRecordId(selection, idField))
    throw refusal('fields', 'must include the record id field for an export in pages or batches');
  return { client, selection, idField, limits };
}

/**
 * Returns the limits of a batched export of which only the first rows are needed. The same number of records suffices,
 * because each record has at least one row.
 *
 * @throws {InvalidRequestError} the limit is out of range
 */
export function batchesFor(limit: number | undefined): Pick<BatchLimits, 'recordLimit'> {
  return limit === undefined ? {} : { recordLimit: wholeNumber('limit', limit, MAX_FIRST_ROWS) };
}

/** @throws {InvalidRequestError} the value is not a whole number from 1 to `max` */
export function wholeNumber(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw refusal(field, `must be a whole number from 1 to ${max}`);
}

/** @see docs/protocol/redcap.md 8.1: the record id is the first field of the data dictionary */
async function idFieldOf(client: BatchClient, { signal, caller }: OpenRecordsOptions): Promise<Field> {
  const [idField] = await client.fields.list({ signal, caller });
  if (idField === undefined) throw new UpstreamInvalidError("REDCap's data dictionary has no field.");
  return idField;
}

/**
 * Whether an export contains the record id: if it, its form, or everything is selected.
 *
 * @see docs/protocol/redcap.md 4.2 (client)
 */
export function hasRecordId(
  { fields = [], forms = [] }: Pick<RecordSelection, 'fields' | 'forms'>,
  idField: Pick<Field, 'name' | 'instrument'>,
): boolean {
  return (
    (fields.length === 0 && forms.length === 0) ||
    fields.includes(idField.name) ||
    forms.some((form) => form.replaceAll(' ', '_') === idField.instrument)
  );
}

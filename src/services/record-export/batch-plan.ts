import { InvalidRequestError } from '../../errors/caller-errors.js';
import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import type { Field } from '../../dictionary/field.js';
import { MAX_FIRST_ROWS } from './first-rows.js';
import type { CrfClient, OpenRecordsOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { toExportParameters } from '../../gateways/redcap/record-parameters.js';

/** What batches need of the client, and no more. */
export type BatchClient = Pick<CrfClient, 'getMetadata' | 'openRecords'>;

export interface BatchLimits {
  /** Records a batch at most; 500 by default. */
  readonly batchSize?: number | undefined;
  /** Only so many of the records, the first ones; all by default. */
  readonly recordLimit?: number | undefined;
  /** Batches that are asked for at once: 1 to 4, 4 by default, and never more than the client has turns for. */
  readonly concurrency?: number | undefined;
  /** The largest answer of a batch, 32 MiB by default. A larger one is asked for again in smaller parts. */
  readonly maxBatchBytes?: number | undefined;
  /** How often an answer is read at most until it is whole; 3 by default. */
  readonly attempts?: number | undefined;
  /** The pause before an answer is asked for again is a random part of this, 500 by default, doubled each time. */
  readonly retryBaseMs?: number | undefined;
}

export interface BatchedExportOptions extends OpenRecordsOptions, BatchLimits {}

export const DEFAULT_BATCH_SIZE = 500;
export const MAX_BATCH_SIZE = 10_000;
export const MAX_CONCURRENCY = 4;

/** A batched export that can be made. */
export interface BatchPlan {
  readonly client: BatchClient;
  readonly selection: OpenRecordsOptions;
  readonly idField: Field;
  readonly limits: Readonly<Record<keyof BatchLimits, number>>;
}

/**
 * Checks that an export can be made in batches.
 *
 * @throws {InvalidIdentifierError} {InvalidRequestError} the selection is refused as by `openRecords`
 * @throws {InvalidRequestError} a limit is out of range, or the record id is not selected: without it
 *   nobody could tell whether a batch is whole, and REDCap gives other rows with it than without
 * @see docs/protocol/redcap.md 4.2, 4.3 (client, inferred)
 */
export async function planBatches(client: BatchClient, options: BatchedExportOptions): Promise<BatchPlan> {
  const { batchSize, recordLimit, concurrency, maxBatchBytes, attempts, retryBaseMs, ...selection } = options;
  const limits = {
    batchSize: wholeNumber('batchSize', batchSize ?? DEFAULT_BATCH_SIZE, MAX_BATCH_SIZE),
    recordLimit: recordLimit ?? Infinity,
    concurrency: wholeNumber('concurrency', concurrency ?? MAX_CONCURRENCY, MAX_CONCURRENCY),
    maxBatchBytes: maxBatchBytes ?? 32 * 1024 * 1024,
    attempts: attempts ?? 3,
    retryBaseMs: retryBaseMs ?? 500,
  };
  toExportParameters(selection); // refused here, before anything is asked for
  const idField = await idFieldOf(client, selection);
  if (!hasRecordId(selection, idField)) {
    throw new InvalidRequestError([
      { field: 'fields', message: 'must include the record id field when batchSize is given' },
    ]);
  }
  return { client, selection, idField, limits };
}

/**
 * The limits of a batched export of which only the first rows are wanted: as many records are enough, for each has a row.
 *
 * @throws {InvalidRequestError} the limit is out of range
 */
export function batchesFor(limit: number | undefined): Pick<BatchLimits, 'recordLimit'> {
  return limit === undefined ? {} : { recordLimit: wholeNumber('limit', limit, MAX_FIRST_ROWS) };
}

/** @throws {InvalidRequestError} it is not a whole number from 1 to the greatest allowed */
export function wholeNumber(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new InvalidRequestError([{ field, message: `must be a whole number from 1 to ${max}` }]);
}

/** @see docs/protocol/redcap.md 8.1: the record id is the first field of the data dictionary */
async function idFieldOf(client: BatchClient, { signal, caller }: OpenRecordsOptions): Promise<Field> {
  const [idField] = await client.getMetadata({ signal, caller });
  if (idField === undefined) throw new UpstreamInvalidError("REDCap's data dictionary has no field.");
  return idField;
}

/** @see docs/protocol/redcap.md 4.2 (client): the id is exported when it, its form or everything is asked for */
function hasRecordId({ fields = [], forms = [] }: RecordSelection, idField: Field): boolean {
  return (
    (fields.length === 0 && forms.length === 0) ||
    fields.includes(idField.name) ||
    forms.some((form) => form.replaceAll(' ', '_') === idField.instrument)
  );
}

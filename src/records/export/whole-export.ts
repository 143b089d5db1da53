import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import {
  DEFAULT_BATCH_SIZE,
  planBatches,
  withoutLimits,
  type BatchClient,
  type BatchPlan,
} from './batch-plan.js';
import type { BatchedExportOptions } from './batch-plan.js';
import { firstByteOf } from '../streaming/first-byte.js';

/**
 * A single-call export whose first bytes have arrived, or the plan of a batched export if REDCap cannot return it in
 * one call.
 */
export type WholeExport = { readonly body: Readable } | { readonly plan: BatchPlan };

/**
 * Opens an export in one call. If REDCap runs out of memory or breaks off before the first byte, returns a plan with
 * batches of 500 records, provided that the selection allows batches.
 *
 * @throws {CrfError} errors of `openRecords`, if batches would not help or are not possible
 */
export async function openWholeExport(
  client: BatchClient,
  options: BatchedExportOptions,
): Promise<WholeExport> {
  try {
    return { body: await firstByteOf(await client.openRecords(withoutLimits(options))) };
  } catch (error) {
    if (!isTooMuchAtOnce(error)) throw error;
    return { plan: await planInstead(client, options, error) };
  }
}

function isTooMuchAtOnce(error: unknown): boolean {
  return (
    (error instanceof UpstreamInvalidError && error.isOutOfMemory) ||
    (error instanceof UpstreamUnavailableError && error.phase === 'body')
  );
}

async function planInstead(
  client: BatchClient,
  options: BatchedExportOptions,
  reason: unknown,
): Promise<BatchPlan> {
  try {
    return await planBatches(client, { ...options, batchSize: DEFAULT_BATCH_SIZE });
  } catch (error) {
    // Batches were not requested, so the original error is reported and not that they are impossible.
    throw error instanceof InvalidRequestError ? reason : error;
  }
}

import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../../errors/upstream-errors.js';
import { DEFAULT_BATCH_SIZE, planBatches, type BatchClient, type BatchPlan } from './batch-plan.js';
import type { BatchedExportOptions } from './batch-plan.js';
import { firstByteOf } from './first-byte.js';

/** An export in one call, its first bytes there; or, when REDCap cannot give it whole, the plan of a batched one. */
export type WholeExport = { readonly body: Readable } | { readonly plan: BatchPlan };

/**
 * Opens an export in one call. When REDCap runs out of memory, or breaks off before the first byte is
 * given, the answer is a plan of batches of 500, provided that the selection allows batches.
 *
 * @throws {CrfError} what `openRecords` throws, when batches would not help or cannot be made
 */
export async function openWholeExport(
  client: BatchClient,
  options: BatchedExportOptions,
): Promise<WholeExport> {
  try {
    const { batchSize: _none, recordLimit: _norThis, concurrency: _either, ...selection } = options;
    return { body: await firstByteOf(await client.openRecords(selection)) };
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
    // Nobody asked for batches: that they cannot be made is not what went wrong.
    throw error instanceof InvalidRequestError ? reason : error;
  }
}

import type { Readable } from 'node:stream';
import { CrfError } from '../../errors/crf-error.js';
import { UpstreamUnavailableError } from '../../errors/upstream-errors.js';

/** One of this package's errors for whatever a stream of REDCap's bytes failed with. */
export function toUpstreamError(error: unknown): CrfError {
  return error instanceof CrfError ? error : new UpstreamUnavailableError('body', { cause: error });
}

/** The chunks of a stream. Its failures are errors of this package; leaving the loop destroys it. */
export async function* chunksOf(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw toUpstreamError(error);
  }
}

import type { Readable } from 'node:stream';
import { CrfError } from '../../domain/errors/crf-error.js';
import { UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';

/** Converts any error of a stream from REDCap to one of this package's errors. */
export function toUpstreamError(error: unknown): CrfError {
  return error instanceof CrfError ? error : new UpstreamUnavailableError('body', { cause: error });
}

/**
 * Yields the chunks of a stream and converts its errors to those of this package. Leaving the loop destroys the stream.
 */
export async function* chunksOf(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw toUpstreamError(error);
  }
}

/** Yields the rows of a JSON array, as many at a time as a chunk completes. */
export async function* jsonRowsOf(body: Readable): AsyncGenerator<readonly Buffer[], void, undefined> {
  const splitter = new JsonArraySplitter();
  for await (const chunk of chunksOf(body)) {
    const rows: Buffer[] = [];
    splitter.push(chunk, (source, start, end) => rows.push(source.subarray(start, end)));
    if (rows.length > 0) yield rows;
  }
  splitter.end();
}

import type { Readable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { watchPace, type ReaderPaceOptions } from './reader-pace.js';

/**
 * Yields the pieces of a body as long as its sender is fast enough. The upload of a file holds one of the concurrent
 * calls to REDCap until its last byte, and any body its connection: a sender of single bytes could hold them for days
 * (OPS-03). Time spent waiting for REDCap does not count.
 *
 * @param source the stream from which the pieces are read; it is destroyed if its sender is too slow
 * @throws {ProblemError} `request_timeout`: the sender was slower than the minimum speed
 */
export async function* pacedUpload(
  pieces: AsyncIterable<Buffer>,
  source: Readable,
  pace: ReaderPaceOptions,
): AsyncGenerator<Buffer, void, undefined> {
  let [bytes, isWaiting] = [0, true];
  const stopWatching = watchPace(
    {
      isBehind: () => isWaiting,
      bytesTaken: () => bytes,
      onTooSlow: () => source.destroy(new ProblemError('request_timeout')),
    },
    pace,
  );
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      isWaiting = false;
      yield piece;
      isWaiting = true;
    }
  } finally {
    stopWatching();
  }
}

import type { Readable } from 'node:stream';
import { RequestTimeoutError } from '../../errors/caller-errors.js';
import { watchPace, type ReaderPaceOptions } from '../record-export/reader-pace.js';

/**
 * The pieces of a file that is being sent to the service, for as long as its sender keeps the pace. An upload holds one of
 * the turns of calls to REDCap from its first byte to its last, and a byte now and then would hold it for days (OPS-03).
 * Time in which REDCap is waited for does not count.
 *
 * @param source what the pieces are read from; it is destroyed when its sender is too slow
 * @throws {RequestTimeoutError} the sender was slower than the pace
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
      onTooSlow: () => source.destroy(new RequestTimeoutError()),
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

import type { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CancelledError } from '../errors/cancelled-error.js';
import { CrfError } from '../errors/crf-error.js';
import { UpstreamUnavailableError } from '../errors/upstream-unavailable-error.js';

/**
 * Pours a body into a sink, and ends the sink when, and only when, the body came to its end. Any failure destroys all of them.
 *
 * @throws {CancelledError} the sink closed first
 * @throws {CrfError} what the body failed with
 */
export async function pour(body: Readable, change: Transform | undefined, sink: Writable): Promise<void> {
  // Which of the two broke first is known only while the other is whole: `pipeline` destroys it next.
  let hasBodyFailed = false;
  const onBodyClose = (): void => {
    hasBodyFailed ||= !sink.destroyed;
  };
  body.once('error', onBodyClose).once('close', onBodyClose);
  try {
    await (change ? pipeline(body, change, sink) : pipeline(body, sink));
  } catch (error) {
    if (error instanceof CrfError) throw error;
    throw hasBodyFailed
      ? new UpstreamUnavailableError('body', { cause: error })
      : new CancelledError({ cause: error });
  } finally {
    body.off('error', onBodyClose).off('close', onBodyClose);
  }
}

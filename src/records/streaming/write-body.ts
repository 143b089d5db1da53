import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { CancelledError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';

/** Text written before and after the body. */
export interface Wrapping {
  readonly before: string;
  readonly after: string;
}

/**
 * Writes a body to a sink. `write` ends the sink if and only if the body was read to its end. Any failure destroys
 * both.
 *
 * @throws {CancelledError} the sink closed first
 * @throws {CrfError} the error of the body
 */
export async function writeBody(body: Readable, sink: Writable, write: () => Promise<void>): Promise<void> {
  // The failure of one destroys the other, so which one failed first must be noted while the other is still intact.
  let hasBodyFailed = false;
  const onBodyClose = (): void => {
    // One that was read to its end closes too, while its last bytes wait for their reader.
    hasBodyFailed ||= !sink.destroyed && !body.readableEnded;
  };
  if (body.destroyed) onBodyClose();
  body.once('error', onBodyClose).once('close', onBodyClose);
  try {
    await write();
  } catch (error) {
    body.destroy();
    sink.destroy();
    if (error instanceof CrfError) throw error;
    if (hasBodyFailed && body.errored instanceof CrfError) throw body.errored;
    throw hasBodyFailed
      ? new UpstreamUnavailableError('body', { cause: error })
      : new CancelledError({ cause: error });
  } finally {
    body.off('error', onBodyClose).off('close', onBodyClose);
  }
}

/** Writes a body between two texts without transforming it: a `Transform` would cost a fifth of the throughput. */
export async function writeWrapped(
  body: Readable,
  sink: Writable,
  { before, after }: Wrapping,
): Promise<void> {
  sink.write(before);
  await pipeline(body, sink, { end: false });
  sink.end(after);
  await finished(sink, { readable: false });
}

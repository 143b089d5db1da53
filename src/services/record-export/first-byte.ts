import type { Readable } from 'node:stream';
import { toUpstreamError } from './chunks-of.js';

/**
 * Waits until a stream has bytes to give or is at its end, and takes none of them.
 *
 * @throws {CrfError} it failed before that; one of this package's errors
 */
export async function firstByteOf(stream: Readable): Promise<Readable> {
  // A failure between two readers would end the process: whoever reads later still learns of it.
  stream.on('error', () => undefined);
  try {
    await untilReadable(stream);
    return stream;
  } catch (error) {
    stream.destroy();
    throw toUpstreamError(error);
  }
}

function untilReadable(stream: Readable): Promise<void> {
  if (stream.errored) return Promise.reject(stream.errored);
  if (stream.readableLength > 0 || stream.readableEnded) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      stream.off('readable', onReadable).off('end', onReadable).off('error', onError).off('close', onClose);
    };
    const onReadable = (): void => {
      settle();
      resolve();
    };
    const onError = (error: Error): void => {
      settle();
      reject(error);
    };
    const onClose = (): void => onError(new Error('The stream was closed before its first byte.'));
    stream.on('readable', onReadable).on('end', onReadable).on('error', onError).on('close', onClose);
  });
}

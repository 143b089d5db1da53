import type { Readable } from 'node:stream';
import { toUpstreamError } from './chunks-of.js';

/**
 * Waits until a stream has bytes or has ended, without consuming any.
 *
 * @throws {CrfError} the stream failed before that
 */
export async function firstByteOf(stream: Readable): Promise<Readable> {
  // An unhandled stream error would end the process. Later readers still receive the error.
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
    // Whoever waited before may have seen the end of an empty stream, which is not announced again by itself.
    stream.read(0);
  });
}

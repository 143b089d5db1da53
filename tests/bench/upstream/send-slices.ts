import type { ServerResponse } from 'node:http';

const SLICE_BYTES = 64 * 1024;

/** Sends a part of a buffer as fast as it is read, and reports each slice. Stops when the reader leaves. */
export async function sendSlices(
  response: ServerResponse,
  bytes: Buffer,
  [from, end]: readonly [number, number],
  onSlice: (size: number) => void,
): Promise<void> {
  for (let at = from; at < end && !response.destroyed; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, Math.min(at + SLICE_BYTES, end));
    onSlice(slice.length);
    if (!response.write(slice)) await untilWritable(response);
  }
}

/** Resolves when the written data was sent, or the reader has left. */
function untilWritable(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

import type { Readable } from 'node:stream';
import { MalformedRequestError } from '../../errors/caller-errors.js';
import { ImportBody, type ImportBodyOptions } from '../../records/import/import-body.js';

/**
 * Reads a whole body as UTF-8. Removes a byte order mark.
 *
 * @throws {PayloadTooLargeError} it is longer than the limit
 * @throws {MalformedRequestError} it is not UTF-8
 * @throws {CancelledError} the sender disconnected
 * @throws {RequestTimeoutError} the sender was slower than the minimum speed
 */
export async function readText(source: Readable, options: ImportBodyOptions): Promise<string> {
  const body = new ImportBody(source, options);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of body.pieces()) pieces.push(Buffer.from(piece));
    return decode(Buffer.concat(pieces));
  } finally {
    body.discardRest();
  }
}

/** Refuses invalid UTF-8. Replacement characters would otherwise be stored. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedRequestError('The body is not UTF-8.', { cause });
  }
}

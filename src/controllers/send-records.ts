import type { Request } from 'express';
import type { RecordsBody } from '../services/record-export.js';

/**
 * Writes an export to the answer of a request. What fails before the first byte is thrown, and becomes a problem;
 * what fails later has destroyed the connection when this returns (STR-01).
 *
 * @returns never what it says: the answer is on its way, and tsoa leaves an answer alone whose headers are sent
 */
export async function sendRecords<T>(request: Request, open: () => Promise<RecordsBody>): Promise<T> {
  const { res: response } = request;
  if (response === undefined) throw new TypeError('The request has no response.');

  const body = await open();
  response.status(200).setHeader('Content-Type', body.contentType);
  const { socket } = request;
  // What was given to the socket and has left it.
  await body.pipeTo(response, () => socket.bytesWritten - socket.writableLength);
  return undefined as T; // see @returns
}

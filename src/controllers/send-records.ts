import type { Request, Response } from 'express';
import { toNoteHeader } from '../services/filter-logic/check-filter-logic.js';
import type { RecordsPage } from '../services/record-export/record-pages.js';

/**
 * Writes an export to the answer of a request. What fails before the first byte is thrown, and becomes a problem;
 * what fails later has destroyed the connection when this returns (STR-01).
 *
 * @param fileName the name under which a browser saves it, if it is to
 * @returns never what it says: the answer is on its way, and tsoa leaves an answer alone whose headers are sent
 */
export async function sendRecords<T>(
  request: Request,
  open: () => Promise<RecordsPage>,
  fileName?: string,
): Promise<T> {
  const { res: response, socket } = request;
  if (response === undefined) throw new TypeError('The request has no response.');

  const body = await open();
  response.status(200).setHeader('Content-Type', body.contentType);
  if (fileName !== undefined) response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  const note = toNoteHeader(body.filterNotes ?? []);
  if (note !== undefined) response.setHeader('X-Filter-Logic-Note', note);
  setPageHeaders(request, response, body);
  // What was given to the socket and has left it.
  await body.pipeTo(response, () => socket.bytesWritten - socket.writableLength);
  return undefined as T; // see @returns
}

/** The next page as RFC 8288 has it, and whether records came or went among those given before (STR-06). */
function setPageHeaders(request: Request, response: Response, { nextCursor, isChanged }: RecordsPage): void {
  if (isChanged) response.setHeader('X-Records-Changed', 'true');
  if (nextCursor === undefined) return;
  // Only the path and the query count: the host may be that of a proxy.
  const next = new URL(request.originalUrl, 'http://localhost');
  next.searchParams.set('cursor', nextCursor);
  response.setHeader('Link', `<${next.pathname}${next.search}>; rel="next"`);
}

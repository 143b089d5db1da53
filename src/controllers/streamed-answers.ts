import type { Request, Response } from 'express';
import { attachment } from '../http/file-headers.js';
import { sendStreamed } from '../http/send-streamed.js';
import type { FileAnswer } from '../services/files/file-service.js';
import { toNoteHeader } from '../records/filter/check-filter-logic.js';
import type { RecordsPage } from '../records/export/record-pager.js';

/**
 * Sends a file as an attachment, which browsers save instead of showing: whoever uploaded it may have aimed it at the
 * browser of the person who opens it.
 */
export function sendFile(request: Request, open: () => Promise<FileAnswer>): Promise<void> {
  return sendStreamed(request, open, (response, { fileName, length }) => {
    response.setHeader('Content-Disposition', attachment(fileName));
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    if (length !== undefined) response.setHeader('Content-Length', length);
  });
}

/**
 * Streams an export as the response to a request, like `sendStreamed`.
 *
 * @param fileName the name under which a browser saves the export, if it is a download
 */
export function sendRecords<T>(
  request: Request,
  open: () => Promise<RecordsPage>,
  fileName?: string,
): Promise<T> {
  return sendStreamed(request, open, (response, page) => {
    if (fileName !== undefined)
      response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    const note = toNoteHeader(page.filterNotes ?? []);
    if (note !== undefined) response.setHeader('X-Filter-Logic-Note', note);
    setPageHeaders(request, response, page);
  });
}

/** Sets the link to the next page, and whether the records of earlier pages have changed (STR-06). */
function setPageHeaders(request: Request, response: Response, { nextCursor, isChanged }: RecordsPage): void {
  if (isChanged) response.setHeader('X-Records-Changed', 'true');
  if (nextCursor === undefined) return;
  setNextLink(request, response, nextCursor);
}

/**
 * Sets the link to the next page (RFC 8288): the same request with another cursor, as an absolute URL. Its origin is the
 * one that the caller used; behind a proxy, the proxy must pass it on (`Host` or, with `TRUST_PROXY`,
 * `X-Forwarded-Host` and `X-Forwarded-Proto`). A request without a usable host gets a path.
 */
export function setNextLink(request: Request, response: Response, cursor: string): void {
  const origin = `${request.protocol}://${request.host}`;
  const hasOrigin = request.host !== undefined && URL.canParse(origin);
  const next = new URL(request.originalUrl, hasOrigin ? origin : 'http://localhost');
  next.searchParams.set('cursor', cursor);
  response.setHeader('Link', `<${hasOrigin ? next.href : next.pathname + next.search}>; rel="next"`);
}

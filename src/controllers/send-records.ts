import type { Request, Response } from 'express';
import { toNoteHeader } from '../services/filter-logic/check-filter-logic.js';
import type { RecordsPage } from '../services/record-export/record-pages.js';
import { sendStreamed } from './send-streamed.js';

/**
 * Writes an export to the answer of a request, as `sendStreamed` does.
 *
 * @param fileName the name under which a browser saves it, if it is to
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

/** The next page as RFC 8288 has it, and whether records came or went among those given before (STR-06). */
function setPageHeaders(request: Request, response: Response, { nextCursor, isChanged }: RecordsPage): void {
  if (isChanged) response.setHeader('X-Records-Changed', 'true');
  if (nextCursor === undefined) return;
  // Only the path and the query count: the host may be that of a proxy.
  const next = new URL(request.originalUrl, 'http://localhost');
  next.searchParams.set('cursor', nextCursor);
  response.setHeader('Link', `<${next.pathname}${next.search}>; rel="next"`);
}

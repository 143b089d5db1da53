import type { Request, Response } from 'express';
import { toNoteHeader } from '../records/filter/check-filter-logic.js';
import type { RecordsPage } from '../records/export/record-pager.js';
import { setNextLink } from './next-link.js';
import { sendStreamed } from './send-streamed.js';

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

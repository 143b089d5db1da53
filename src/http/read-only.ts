import type { Request } from 'express';

/**
 * Whether a request is not a click by a person: a HEAD, a prefetch or preview by a browser or mail program (LOGIN-01,
 * LOGIN-02), or a resource of a page, such as an image or a frame.
 */
export function isReadOnly(request: Request): boolean {
  const { method, headers } = request;
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']].join(' ');
  return method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose) || isPartOfAPage(request);
}

/**
 * A page of any site can make its readers' browsers load a link repeatedly and invisibly. Browsers report what a
 * request is for, and pages cannot change these headers. `Sec-Fetch-Mode` counts only together with the other headers,
 * because Node's own `fetch` sends it alone.
 *
 * @see Fetch Metadata Request Headers, sections 2.1 and 2.2
 */
function isPartOfAPage({ headers }: Request): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (destination === undefined && site === undefined) return false;
  return (destination ?? 'document') !== 'document' || (mode ?? 'navigate') !== 'navigate';
}

import type { Request } from 'express';

/**
 * Whether nobody has opened the link yet: a HEAD, what browsers and mail programs send to be ahead of a click (LOGIN-01,
 * LOGIN-02), and what a page loads beside itself, such as an image or a frame.
 */
export function isReadOnly(request: Request): boolean {
  const { method, headers } = request;
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']].join(' ');
  return method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose) || isPartOfAPage(request);
}

/**
 * A page of any site can make its readers' browsers load a link, ten times and unseen. Browsers say what a load is for,
 * and no page can change it. `Sec-Fetch-Mode` counts only beside the headers that browsers send with it: Node's own
 * `fetch` sends it alone.
 *
 * @see Fetch Metadata Request Headers, sections 2.1 and 2.2
 */
function isPartOfAPage({ headers }: Request): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (destination === undefined && site === undefined) return false;
  return (destination ?? 'document') !== 'document' || (mode ?? 'navigate') !== 'navigate';
}

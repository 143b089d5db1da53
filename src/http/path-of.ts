import type { Request } from 'express';

/**
 * Returns the path of a request. Express's `path` parses the URL, which a plain path does not need. A URL may also be
 * absolute (RFC 9112, 3.2.2), and has a path nevertheless.
 */
export function pathOf(request: Request): string {
  const { url } = request;
  return url.startsWith('/') && !url.includes('?') ? url : request.path;
}

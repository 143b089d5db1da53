import type { Request, Response } from 'express';

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

import type { Request } from 'express';

/**
 * Whether a page of this service sent the request. `Sec-Fetch-Site` is written by the browser and cannot be forged by a
 * page; `Origin` serves those without it. Neither is no (CSRF-01).
 *
 * @param trustedOrigins the service's own public origins
 */
export function isSameOrigin(request: Request, trustedOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  return origin !== undefined && trustedOrigins.includes(normalised(origin));
}

/**
 * Whether a request that changes something may be a page's doing: it carries a cookie, or a sign of a browser. A program
 * without either has nothing that another site could abuse (AUTH-07).
 */
export function mayComeFromPage({ headers }: Request): boolean {
  return (
    headers.cookie !== undefined || headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  );
}

/** Origins are compared parsed, not as text: case and a default port make no difference; `null` never matches. */
function normalised(origin: string): string {
  return /^[a-z]+:\/\/[^/]+$/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : 'null';
}

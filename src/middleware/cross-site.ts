import type { Request } from 'express';
import { appState } from '../app-state.js';
import { CrossSiteRequestError } from '../errors/cross-site-request-error.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that changes something and carries a cookie, unless the browser says that a page of this
 * service sent it (CSRF-01).
 *
 * @throws {CrossSiteRequestError} another site, or neither header to tell by
 */
export function refuseCrossSite(request: Request): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (!isSameOrigin(request)) throw new CrossSiteRequestError();
}

/**
 * Refuses a request that a page of another site sent; one without any sign of a browser passes: a program with
 * no cookie to abuse (AUTH-07).
 *
 * @throws {CrossSiteRequestError}
 */
export function refuseForeignPage(request: Request): void {
  const hasSign = request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined;
  const hasCookie = request.headers.cookie !== undefined;
  if ((hasSign || hasCookie) && !isSameOrigin(request)) throw new CrossSiteRequestError();
}

/** `Sec-Fetch-Site` is written by the browser and cannot be forged by a page; `Origin` serves those without it. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  return origin !== undefined && appState(request.app).trustedOrigins.includes(normalised(origin));
}

/** Origins are compared parsed, not as text: case and a default port make no difference; `null` never matches. */
function normalised(origin: string): string {
  return URL.canParse(origin) && /^[a-z]+:\/\/[^/]+$/i.test(origin) ? new URL(origin).origin : 'null';
}

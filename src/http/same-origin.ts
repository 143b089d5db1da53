import type { NextFunction, Request, Response } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';
import { appState } from './app-state.js';

/** The methods that change nothing, which pages of other sites may use: for links. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the request was sent by a page of this service (CSRF-01). `Sec-Fetch-Site` is set by the browser and cannot
 * be forged by a page; `Origin` is used if it is absent. Without either, the result is false.
 *
 * @param trustedOrigins the public origins of the service
 */
export function isSameOrigin(request: Request, trustedOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = normalised(request.headers.origin ?? '');
  return origin !== undefined && trustedOrigins.includes(origin);
}

/**
 * Whether a request that changes data could have been sent by a page: it has a cookie, or a header that browsers add. A
 * program sends neither, so another site cannot abuse its credentials (AUTH-07).
 */
export function mayComeFromPage({ headers }: Request): boolean {
  return (
    headers.cookie !== undefined || headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  );
}

/**
 * Refuses a request that changes data with a session, unless the browser states that a page of this service sent it
 * (CSRF-01).
 *
 * @throws {ProblemError} `cross_site_request`: another site sent it, or neither header is present
 */
export function refuseCrossSite(request: Request): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (!isSameOrigin(request, appState(request).trustedOrigins)) throw new ProblemError('cross_site_request');
}

/**
 * Refuses a request sent by a page of another site. A request without any browser header passes (AUTH-07).
 *
 * @throws {ProblemError} `cross_site_request`
 */
export function refuseForeignPage(request: Request): void {
  if (mayComeFromPage(request)) refuseCrossSite(request);
}

/** The same check as a handler. */
export function sameOrigin(request: Request, _response: Response, next: NextFunction): void {
  refuseForeignPage(request);
  next();
}

/**
 * Returns a parsed origin, so that case and a default port make no difference; `undefined` for what is not an origin,
 * such as `null`.
 */
function normalised(origin: string): string | undefined {
  return /^[a-z]+:\/\/[^/]+$/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : undefined;
}

import type { NextFunction, Request, Response } from 'express';
import { appState } from '../http/app-state.js';
import { CrossSiteRequestError } from '../errors/caller-errors.js';
import { isSameOrigin, mayComeFromPage } from '../http/same-origin.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that changes something by a session, unless the browser says that a page of this service sent it
 * (CSRF-01).
 *
 * @throws {CrossSiteRequestError} another site, or neither header to tell by
 */
export function refuseCrossSite(request: Request): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (!isSameOrigin(request, appState(request.app).trustedOrigins)) throw new CrossSiteRequestError();
}

/**
 * Refuses a request that a page of another site sent; one without any sign of a browser passes (AUTH-07).
 *
 * @throws {CrossSiteRequestError}
 */
export function refuseForeignPage(request: Request): void {
  if (mayComeFromPage(request)) refuseCrossSite(request);
}

/** The same, in front of a route. */
export function sameOrigin(request: Request, _response: Response, next: NextFunction): void {
  refuseForeignPage(request);
  next();
}

import type { NextFunction, Request, Response } from 'express';
import { appState } from '../http/app-state.js';
import { CrossSiteRequestError } from '../errors/caller-errors.js';
import { isSameOrigin, mayComeFromPage, SAFE_METHODS } from '../http/same-origin.js';

/**
 * Refuses a request that changes data with a session, unless the browser states that a page of this service sent it
 * (CSRF-01).
 *
 * @throws {CrossSiteRequestError} another site sent it, or neither header is present
 */
export function refuseCrossSite(request: Request): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (!isSameOrigin(request, appState(request.app).trustedOrigins)) throw new CrossSiteRequestError();
}

/**
 * Refuses a request sent by a page of another site. A request without any browser header passes (AUTH-07).
 *
 * @throws {CrossSiteRequestError}
 */
export function refuseForeignPage(request: Request): void {
  if (mayComeFromPage(request)) refuseCrossSite(request);
}

/** The same check as a handler. */
export function sameOrigin(request: Request, _response: Response, next: NextFunction): void {
  refuseForeignPage(request);
  next();
}

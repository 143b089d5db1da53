import type { Request } from 'express';
import { appState } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { auditCall, auditRefusal } from '../middleware/audit/audit-call.js';
import { refuseCrossSite } from '../middleware/cross-site.js';
import type { Caller } from '../services/access/access-control.js';

/**
 * What tsoa's generated routes call before a route with `@Security`. The scheme does not matter: an API key and a
 * session lead to the same decision, and the document names both so that a reader knows that either works.
 *
 * @returns the caller, which tsoa puts on `request.user`
 * @throws {UnauthenticatedError} {InsufficientScopeError} {CrossSiteRequestError} {IdentityUnavailableError}
 *   {AuditUnavailableError}
 */
export async function expressAuthentication(
  request: Request,
  _scheme: string,
  scopes: string[] = [],
): Promise<Caller> {
  const { access } = appState(request.app);
  try {
    const caller = await callerOf(request);
    if (caller.kind === 'session') refuseCrossSite(request);
    access.authorize(caller, scopes);
    await auditCall(request, caller, scopes);
    return caller;
  } catch (error) {
    auditRefusal(request, error, scopes);
    throw error;
  }
}

/** @returns who sent the request; asked for once @throws what `AccessControl.identify` throws */
export function callerOf(request: Request): Promise<Caller> {
  const state = requestState(request);
  return (state.caller ??= appState(request.app).access.identify({
    authorization: request.headers.authorization,
    cookies: cookiesOf(request),
  }));
}

import type { Request } from 'express';
import { appState } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { auditCall, auditRefusal } from '../middleware/audit/audit-call.js';
import { refuseCrossSite } from '../middleware/cross-site.js';
import { warnOfOpenChange } from '../http/open-change.js';
import type { Caller } from '../services/access/access-control.js';

/**
 * Authenticates requests for tsoa's generated routes with `@Security`. The scheme is ignored, because an API key and a
 * session lead to the same decision. The document names both to show that either works.
 *
 * @returns the caller, which tsoa stores in `request.user`
 * @throws {UnauthenticatedError} {InsufficientScopeError} {CrossSiteRequestError} {IdentityUnavailableError}
 * {AuditUnavailableError}
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
    warnOfOpenChange(request, caller, scopes);
    await auditCall(request, caller, scopes);
    return caller;
  } catch (error) {
    auditRefusal(request, error, scopes);
    throw error;
  }
}

/** Returns the caller of a request, identified only once. @throws what `AccessControl.identify` throws */
export function callerOf(request: Request): Promise<Caller> {
  const state = requestState(request);
  return (state.caller ??= appState(request.app).access.identify({
    authorization: request.headers.authorization,
    cookies: cookiesOf(request),
  }));
}

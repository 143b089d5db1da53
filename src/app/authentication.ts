import type { Request } from 'express';
import { UnauthenticatedError } from '../domain/errors/access-errors.js';
import { appState, chooseView, enterProject, quotaOf } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { refuseCrossSite } from '../http/same-origin.js';
import { warnOfOpenChange } from '../http/open-change.js';
import type { Caller } from '../services/access/access-control.js';

/**
 * Authenticates requests for tsoa's generated routes with `@Security`. The scheme is ignored, because an API key and a
 * session lead to the same decision. The document names both to show that either works.
 *
 * @returns the caller, which tsoa stores in `request.user`
 * @throws {UnauthenticatedError} {InsufficientScopeError}
 * @throws {ProblemError} `project_not_found`, `project_required`, `cross_site_request`, `identity_unavailable`
 */
export async function expressAuthentication(
  request: Request,
  _scheme: string,
  scopes: string[] = [],
): Promise<Caller> {
  const state = requestState(request);
  state.scopes = scopes;
  const identified = await callerOf(request);
  // Without scopes, the route is about the session or the caller alone.
  const caller = scopes.length === 0 ? identified : enterProject(request, identified);
  if (caller.kind === 'session') refuseCrossSite(request);
  appState(request).access.authorize(caller, scopes);
  if (scopes.length > 0) await chooseView(request, caller);
  warnOfOpenChange(request, caller, scopes);
  return caller;
}

/** Returns the caller of a request, identified only once. @throws what `AccessControl.identify` throws */
export function callerOf(request: Request): Promise<Caller> {
  const state = requestState(request);
  return (state.caller ??= identify(request));
}

/** Returns who is counted for a request, and under which name. @throws what `AccessControl.identify` throws */
export async function countedCallerOf(request: Request): Promise<Pick<Caller, 'kind' | 'name'>> {
  const caller = await callerOf(request);
  return { kind: caller.kind, name: quotaOf(request, caller) };
}

async function identify(request: Request): Promise<Caller> {
  const { authorization } = request.headers;
  const state = requestState(request);
  try {
    const caller = await appState(request).access.identify({
      authorization,
      cookies: cookiesOf(request),
    });
    return (state.identified = caller);
  } catch (thrown) {
    if (thrown instanceof UnauthenticatedError && thrown.expired !== undefined)
      state.identified = { kind: 'api-key', name: thrown.expired };
    throw thrown;
  }
}

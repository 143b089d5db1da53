import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { optional, optionProblems, refuseProblems } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { InsufficientScopeError, UnauthenticatedError } from '../errors/caller-errors.js';
import { expressCookies } from '../http/express-cookies.js';
import { requestState, type HookSession } from '../http/request-state.js';
import { isScope, SCOPES, type Scope } from '../services/access/scope.js';
import type { Auth, SessionUser } from '../services/auth/auth-types.js';
import { authProblems } from './auth-problems.js';

export interface SessionHookOptions {
  /** What a signed-in person may do; `project:read` by default. */
  readonly scopes?: readonly Scope[] | ((user: SessionUser) => readonly Scope[]);
}

const SCOPES_RULE = `must be one or more of ${SCOPES.join(', ')}`;

const OPTIONS = {
  scopes: optional(
    (value) => typeof value === 'function' || isScopes(value),
    `${SCOPES_RULE}, or a function`,
  ),
};

/**
 * Looks at the session cookie of every request and puts the person on `request.user`; `null` without a valid session.
 * It refuses nobody: that is `requireSession`. When the session cannot be checked it fails closed, with
 * `identity_unavailable` (503), and never lets the request go on as if nobody were signed in (SESS-06).
 *
 * @throws {ConfigurationError} `auth` is no authentication service, or `scopes` holds something else than scopes
 */
export function sessionHook(
  auth: Pick<Auth, 'currentUser'>,
  options: SessionHookOptions = {},
): RequestHandler {
  refuseProblems([...authProblems(auth), ...optionProblems(options, OPTIONS)]);
  const { scopes = ['project:read'] } = options;
  return async (request: Request, response: Response, next: NextFunction) => {
    const user = await auth.currentUser(expressCookies(request, response));
    requestState(request).session =
      user === null ? null : { user, scopes: typeof scopes === 'function' ? scopes(user) : scopes };
    Object.assign(request, { user });
    next();
  };
}

/** @returns the person that `sessionHook` found, or null @throws {ConfigurationError} the hook is not mounted in front of this route */
export function currentSession(request: Request): SessionUser | null {
  return sessionOf(request)?.user ?? null;
}

/** Lets only signed-in people through: everybody else gets `unauthenticated` (401). */
export function requireSession(): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (sessionOf(request) === null) throw new UnauthenticatedError();
    next();
  };
}

/**
 * Lets only people through who have all the scopes: 401 without a session, 403 `insufficient_scope` without a scope.
 *
 * @throws {ConfigurationError} no scope is given, or one that does not exist
 */
export function requireScope(...scopes: readonly [Scope, ...Scope[]]): RequestHandler {
  // Without a scope it would let everybody through who is signed in, and look as if it did not.
  if (!isScopes(scopes) || (scopes as readonly Scope[]).length === 0)
    throw new ConfigurationError([{ field: 'scopes', message: SCOPES_RULE }]);
  return (request: Request, _response: Response, next: NextFunction) => {
    const session = sessionOf(request);
    if (session === null) throw new UnauthenticatedError();
    const missing = scopes.filter((scope) => !session.scopes.includes(scope));
    if (missing.length > 0) throw new InsufficientScopeError(missing);
    next();
  };
}

function isScopes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScope);
}

/** A route that forgot the hook must not look like one where nobody is signed in. */
function sessionOf(request: Request): HookSession | null {
  const { session } = requestState(request);
  if (session === undefined) {
    throw new ConfigurationError([
      { field: 'sessionHook', message: 'must be mounted in front of this route' },
    ]);
  }
  return session;
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import {
  isObject,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../../domain/identifiers/check-options.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { InsufficientScopeError, UnauthenticatedError } from '../../domain/errors/access-errors.js';
import { expressCookies } from '../../http/express-cookies.js';
import { requestState, type HookSession } from '../../http/request-state.js';
import { isScope, SCOPES, type Scope } from '../../domain/identifiers/scope.js';
import type { Auth, SessionUser } from '../../services/auth/auth-types.js';
import { ignoredArguments, sessionAuthProblems } from './auth-problems.js';

/** What a signed-in person may do. */
export interface SessionHookOptions {
  /** The scopes of a signed-in person; `project:read` by default. */
  readonly scopes?: readonly Scope[] | ((user: SessionUser) => readonly Scope[]);
}

const SCOPES_RULE = `must be one or more of ${SCOPES.join(', ')}`;

const OPTIONS = {
  scopes: optional(
    (value) => typeof value === 'function' || isScopes(value),
    `${SCOPES_RULE}, or a function`,
  ),
} satisfies OptionRules<keyof SessionHookOptions>;

/**
 * Checks the session cookie of every request and stores the user in `request.user`, or `null` without a valid session.
 * It refuses nobody; use `requireSession` for that. If the session cannot be checked, the request fails with
 * `identity_unavailable` (503) instead of continuing as if nobody were signed in (SESS-06).
 *
 * @throws {ConfigurationError} `auth` is not an authentication service, or `scopes` contains an unknown scope
 */
export function sessionHook(
  auth: Pick<Auth, 'currentUser'>,
  options: SessionHookOptions = {},
): RequestHandler {
  refuseProblems([...sessionAuthProblems(auth), ...optionProblems(options, OPTIONS)]);
  const { scopes = ['project:read'] } = options;
  return async (request: Request, response: Response, next: NextFunction) => {
    const user = await auth.currentUser(expressCookies(request, response));
    requestState(request).session =
      user === null ? null : { user, scopes: typeof scopes === 'function' ? scopes(user) : scopes };
    Object.assign(request, { user });
    next();
  };
}

/**
 * Returns the user found by `sessionHook`, or null. @throws {ConfigurationError} the hook is not mounted before this
 * route
 */
export function currentSession(request: Request): SessionUser | null {
  return sessionOf(request)?.user ?? null;
}

/**
 * Accepts only signed-in users. Others get `unauthenticated` (401).
 *
 * @throws {ConfigurationError} it is given an argument, such as scopes, which it would not require
 */
export function requireSession(...ignored: readonly never[]): RequestHandler {
  refuseProblems(
    ignoredArguments(ignored, 'are not taken by requireSession: require scopes with requireScope'),
  );
  return (request: Request, _response: Response, next: NextFunction) => {
    if (sessionOf(request) === null) throw new UnauthenticatedError('session');
    next();
  };
}

/**
 * Accepts only users with all of the scopes. Others get a 401 without a session, or 403 `insufficient_scope`.
 *
 * @throws {ConfigurationError} no scope is given, or an unknown one
 */
export function requireScope(...scopes: readonly [Scope, ...Scope[]]): RequestHandler {
  // Without scopes, every signed-in user would be accepted, although the route looks protected.
  if (!isScopes(scopes) || (scopes as readonly Scope[]).length === 0)
    throw new ConfigurationError([{ field: 'scopes', message: SCOPES_RULE }]);
  return (request: Request, _response: Response, next: NextFunction) => {
    const session = sessionOf(request);
    if (session === null) throw new UnauthenticatedError('session');
    const missing = scopes.filter((scope) => !session.scopes.includes(scope));
    if (missing.length > 0) throw new InsufficientScopeError(missing);
    next();
  };
}

function isScopes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScope);
}

/** A missing hook must not look like a visitor without a session. */
function sessionOf(request: Request): HookSession | null {
  const given: unknown = request;
  const { session } = isObject(given) ? requestState(request) : {};
  if (session === undefined) {
    throw new ConfigurationError([
      { field: 'sessionHook', message: 'must be mounted in front of this route' },
    ]);
  }
  return session;
}

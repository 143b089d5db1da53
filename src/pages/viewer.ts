import type { Request, RequestHandler, Response } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';
import { InsufficientScopeError } from '../domain/errors/access-errors.js';
import { appState, chooseView, enterProject, projectsOf } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { askToSignIn } from './after-sign-in.js';
import type { Scope } from '../domain/identifiers/scope.js';
import type { Caller } from '../services/access/access-control.js';
import type { SessionUser } from '../services/auth/auth-types.js';

/** The reader of a page and their scopes. */
export interface Viewer extends Pick<Caller, 'kind' | 'name'> {
  /** The signed-in person; undefined if the service is open and has no sign-in. */
  readonly user: SessionUser | undefined;
  readonly scopes: readonly Scope[];
}

/** Returns the reader of an open service. */
export function anybody(scopes: readonly Scope[]): Viewer {
  return { kind: 'anonymous', name: 'anonymous', user: undefined, scopes };
}

/**
 * Returns the reader of a page: the signed-in person, or anybody if the service is open and has no sign-in. Returns
 * undefined for others.
 *
 * @throws what `Auth.currentUser` throws
 */
export async function viewerOf(request: Request): Promise<Viewer | undefined> {
  const { auth, access } = appState(request);
  const scopes = access.scopesOfSessions;
  if (auth === undefined) return access.isOpen ? anybody(scopes) : undefined;
  const user = await auth.currentUser(cookiesOf(request));
  return user === null ? undefined : { kind: 'session', name: `session:${user.id}`, user, scopes };
}

/**
 * Runs a handler for readers who may read the project. Readers who are not signed in are redirected to the sign-in
 * form, and those for whom the path without a project leads nowhere, to the first of theirs.
 */
export function asViewer(
  run: (viewer: Viewer, request: Request, response: Response) => void | Promise<void>,
): RequestHandler {
  return async (request, response) => {
    const viewer = await viewerOf(request);
    if (viewer === undefined) {
      if (appState(request).auth === undefined)
        throw new ProblemError('route_not_found', { needsSignIn: true });
      return askToSignIn(request, response);
    }
    const entered = enterOwn(request, viewer);
    if (typeof entered === 'string') return response.redirect(303, entered);
    requireScopes(request, entered, ['project:read']);
    await chooseView(request, entered);
    await run(entered, request, response);
  };
}

/** @returns the reader in their project, or the address of the same page in the first of their projects */
function enterOwn(request: Request, viewer: Viewer): Viewer | string {
  try {
    return enterProject(request, viewer);
  } catch (error) {
    const [first] = projectsOf(request, viewer);
    if (requestState(request).project !== undefined || first === undefined) throw error;
    return `/projects/${first.name}${request.url}`;
  }
}

/**
 * Checks the scopes of a reader. The logs name the reader and the scopes.
 *
 * @throws {InsufficientScopeError} the reader lacks one of them
 */
export function requireScopes(request: Request, viewer: Viewer, required: readonly Scope[]): void {
  const state = requestState(request);
  state.scopes = required;
  state.identified = viewer;
  const missing = required.filter((scope) => !viewer.scopes.includes(scope));
  if (missing.length > 0) throw new InsufficientScopeError(missing);
}

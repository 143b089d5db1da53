import type { Request, RequestHandler, Response } from 'express';
import { InsufficientScopeError, RouteNotFoundError } from '../errors/caller-errors.js';
import { appState } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import type { Scope } from '../services/access/scope.js';
import type { SessionUser } from '../services/auth/auth-types.js';

/** Whoever looks at a page, and what they may see. */
export interface Viewer {
  /** The person; nobody in particular where the service is open and has no sign-in. */
  readonly user: SessionUser | undefined;
  readonly scopes: readonly Scope[];
}

/**
 * @returns who is signed in, or anybody where the service is open and nobody can sign in; undefined for everybody else
 * @throws what `Auth.currentUser` throws
 */
export async function viewerOf(request: Request): Promise<Viewer | undefined> {
  const { auth, access } = appState(request.app);
  if (auth === undefined)
    return access.isOpen ? { user: undefined, scopes: access.scopesOfSessions } : undefined;
  const user = await auth.currentUser(cookiesOf(request));
  return user === null ? undefined : { user, scopes: access.scopesOfSessions };
}

/** Runs what needs somebody who may read the project; who is not signed in is sent to the form. */
export function asViewer(
  run: (viewer: Viewer, request: Request, response: Response) => void | Promise<void>,
): RequestHandler {
  return async (request, response) => {
    const viewer = await viewerOf(request);
    if (viewer === undefined) {
      if (appState(request.app).auth === undefined) throw new RouteNotFoundError();
      return response.redirect(303, '/login');
    }
    if (!viewer.scopes.includes('project:read')) throw new InsufficientScopeError(['project:read']);
    await run(viewer, request, response);
  };
}

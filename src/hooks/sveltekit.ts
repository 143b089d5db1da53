import { refuseProblems } from '../errors/check-options.js';
import type { Auth, CookieStore, SessionUser } from '../services/auth/auth-types.js';
import { ignoredArguments, sessionAuthProblems } from './auth-problems.js';

/** The parts of SvelteKit's `RequestEvent` that the hook uses: the cookies, and a place for the user. */
export interface SessionEvent {
  readonly cookies: CookieStore;
  readonly locals: { user?: SessionUser | null };
}

/**
 * Returns a `handle` function for `src/hooks.server.ts`. It checks the session cookie of every request and stores the
 * user in `event.locals.user`, or `null` without a valid session. It refuses nobody: a `load` function or an endpoint
 * should check `locals.user`.
 *
 * @throws {ConfigurationError} `auth` is not an authentication service, or there are options, which it would ignore
 * @throws {IdentityUnavailableError} in `handle`: the session could not be checked, and the request must not continue as if nobody
 * were signed in (SESS-06)
 */
export function sessionHandle(auth: Pick<Auth, 'currentUser'>, ...ignored: readonly never[]) {
  refuseProblems([
    ...sessionAuthProblems(auth),
    ...ignoredArguments(ignored, 'are not taken by sessionHandle: check locals.user in your routes'),
  ]);
  return async <Event extends SessionEvent, Answer>({
    event,
    resolve,
  }: {
    event: Event;
    resolve: (event: Event) => Answer;
  }): Promise<Awaited<Answer>> => {
    event.locals.user = await auth.currentUser(event.cookies);
    return await resolve(event);
  };
}

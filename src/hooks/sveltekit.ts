import type { Auth, CookieStore, SessionUser } from '../services/auth/auth-types.js';

/** What the hook needs of SvelteKit's `RequestEvent`: its cookies, and a place for the person. */
export interface SessionEvent {
  readonly cookies: CookieStore;
  readonly locals: { user?: SessionUser | null };
}

/**
 * The `handle` of `src/hooks.server.ts`: looks at the session cookie of every request and puts the person on
 * `event.locals.user`; `null` without a valid session. It refuses nobody: a `load` function or an endpoint does, by
 * looking at `locals.user`.
 *
 * @throws {IdentityUnavailableError} the session could not be checked: the request must not go on as if nobody were
 * signed in (SESS-06)
 */
export function sessionHandle(auth: Pick<Auth, 'currentUser'>) {
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

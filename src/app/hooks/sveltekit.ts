import { refuseProblems } from '../../domain/identifiers/check-options.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { PROBLEMS, type ProblemCode } from '../../domain/errors/problem-table.js';
import type { Auth, CookieStore, SessionUser } from '../../services/auth/auth-types.js';
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
 * @throws {ProblemError} `identity_unavailable`: in `handle`: the session could not be checked, and the request must
 *   not continue as if nobody
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

/** What a visitor may read about an error, in the shape of SvelteKit's `App.Error`. */
export interface ProblemBody {
  readonly message: string;
  /** The stable name of the problem, as in docs/reference/errors.md. */
  readonly code: ProblemCode;
}

/**
 * Returns what to pass to SvelteKit's `error` for an error of this package, as `problemHandler` answers it in Express: from
 * status 500 on the message says nothing of the cause (ERR-02). Returns undefined for all other errors and for configuration
 * mistakes, which are not for visitors: throw them again.
 */
export function problemOf(
  thrown: unknown,
): { readonly status: number; readonly body: ProblemBody } | undefined {
  if (!(thrown instanceof CrfError) || thrown instanceof ConfigurationError) return undefined;
  const { code, status, message } = thrown;
  return { status, body: { message: status < 500 ? message : PROBLEMS[code].title, code } };
}

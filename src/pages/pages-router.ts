import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { CrfError } from '../errors/crf-error.js';
import { bodyDeadline } from '../http/body-deadline.js';
import { SignInFailedError } from '../errors/sign-in-errors.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { Auth, CookieStore, SessionUser } from '../services/auth/auth-types.js';
import type { LinkToConfirm } from '../services/auth/login-service.js';
import { deleteAccountPage, sessionsPage } from './account-pages.js';
import { pageContextOf } from './page-context.js';
import { refuseMethod } from './refuse-method.js';
import { sendPage } from './send-page.js';
import { checkMailPage, codePage, signedOutPage, signInPage } from './sign-in-pages.js';

/** What the pages are made of. */
export interface PagesOptions {
  readonly auth: Auth;
  readonly cookiesOf: (request: Request) => CookieStore;
  /** Refuses a form that a page of another site sent. */
  readonly sameOrigin: RequestHandler;
  /** Bounds how often the pages of a person are asked for, as calls of the API are (RATE-01). */
  readonly callLimit: RequestHandler;
  /** Bounds how often links are asked for. */
  readonly signupLimits: readonly RequestHandler[];
  /** Bounds how often a link may fail. */
  readonly loginLimits: readonly RequestHandler[];
  /** Uses a link after the button was pressed; throws what the API throws. */
  readonly confirmLink: (request: Request, link: LinkToConfirm) => Promise<void>;
  /** How long a form may take to arrive; 60 s by default. */
  readonly bodyTimeoutMs?: number | undefined;
}

/**
 * The pages of a person: check your mail, confirm, dashboard, signed out, delete the account. They are forms and links
 * alone, and work without JavaScript. `GET /login`, where it all begins, is an operation of the API.
 */
export function createPagesRouter(options: PagesOptions): Router {
  const { auth, cookiesOf, sameOrigin } = options;
  const router = express.Router({ strict: true, caseSensitive: true });
  const form = bodyDeadline(
    express.urlencoded({ extended: false, limit: 16_384, parameterLimit: 10 }),
    options.bodyTimeoutMs,
  );

  /** Runs what needs a person; anybody else is sent to the form. */
  const signedIn =
    (
      run: (user: SessionUser, request: Request, response: Response) => Promise<void> | void,
    ): RequestHandler =>
    async (request, response) => {
      const user = await auth.currentUser(cookiesOf(request));
      if (user === null) response.redirect(303, '/login');
      else await run(user, request, response);
    };

  // What ends something stays possible at any rate.
  for (const path of ['/dashboard/sessions', '/dashboard/my-data', '/dashboard/delete-account'])
    router.get(path, options.callLimit);

  for (const path of ['/login', '/dashboard', '/signed-out'])
    router
      .route(`${path}/`)
      .get((request, response) => response.redirect(308, path + queryOf(request)))
      .all(refuseMethod('GET', 'HEAD'));

  router
    .route('/login/send')
    .post(
      sameOrigin,
      form,
      ...options.signupLimits,
      async (request: Request, response: Response) => {
        await auth.signupWithEmail(fieldOf(request, 'email'), cookiesOf(request), userAgentOf(request));
        response.redirect(303, '/login/sent');
      },
      correctableAddress,
    )
    .all(refuseMethod('POST'));
  router
    .route('/login/sent')
    .get(async (request, response) => {
      const pending = await auth.pendingLink(cookiesOf(request));
      sendPage(response, checkMailPage(pageContextOf(request), { pending }));
    })
    .all(refuseMethod('GET', 'HEAD'));
  router
    .route('/login/confirm')
    .post(sameOrigin, form, ...options.loginLimits, async (request: Request, response: Response) => {
      await options.confirmLink(request, linkOf(request));
      response.redirect(303, '/dashboard');
    })
    .all(refuseMethod('POST'));
  router
    .route('/login/other-device')
    .post(sameOrigin, form, ...options.loginLimits, async (request: Request, response: Response) => {
      const { userId, secret, st } = linkOf(request);
      const code = await auth.showCode(userId, secret, cookiesOf(request), { st });
      sendPage(response, codePage(pageContextOf(request), code));
    })
    .all(refuseMethod('POST'));
  router
    .route('/login/code')
    .post(sameOrigin, form, ...options.loginLimits, async (request: Request, response: Response) => {
      const cookies = cookiesOf(request);
      try {
        await auth.loginWithCode(fieldOf(request, 'code'), cookies, userAgentOf(request));
      } catch (error) {
        if (!(error instanceof SignInFailedError)) throw error;
        const problem = 'This code is not valid here. Type it exactly as shown, or ask for a new link.';
        const pending = await auth.pendingLink(cookies);
        const page = checkMailPage(pageContextOf(request), { pending, problem });
        return sendPage(response, page, { status: error.status });
      }
      response.redirect(303, '/dashboard');
    })
    .all(refuseMethod('POST'));

  router
    .route('/dashboard/sessions')
    .get(
      signedIn(async (user, request, response) => {
        const sessions = await auth.listSessions(cookiesOf(request));
        sendPage(response, sessionsPage(pageContextOf(request), { user, sessions }));
      }),
    )
    .all(refuseMethod('GET', 'HEAD'));
  router
    .route('/dashboard/my-data')
    .get(
      signedIn(async (_user, request, response) => {
        const data = await auth.personalData(cookiesOf(request));
        response
          .setHeader('Content-Disposition', 'attachment; filename="my-data.json"')
          .setHeader('Cache-Control', 'no-store');
        response.json(data);
      }),
    )
    .all(refuseMethod('GET', 'HEAD'));
  router
    .route('/dashboard/sessions/end')
    .post(
      sameOrigin,
      form,
      signedIn(async (user, request, response) => {
        const id = fieldOf(request, 'id');
        await auth.endSession(id, cookiesOf(request));
        response.redirect(303, id === user.sessionId ? '/signed-out' : '/dashboard/sessions');
      }),
    )
    .all(refuseMethod('POST'));
  router
    .route('/dashboard/sign-out')
    .post(sameOrigin, async (request, response) => {
      await auth.logout(undefined, cookiesOf(request));
      leave(response);
    })
    .all(refuseMethod('POST'));
  router
    .route('/dashboard/delete-account')
    .get(
      signedIn((user, request, response) =>
        sendPage(response, deleteAccountPage(pageContextOf(request), user)),
      ),
    )
    .post(
      sameOrigin,
      signedIn(async (user, request, response) => {
        await auth.deleteAccount(user.id, cookiesOf(request));
        leave(response);
      }),
    )
    .all(refuseMethod('GET', 'HEAD', 'POST'));
  router
    .route('/signed-out')
    .get((request, response) => sendPage(response, signedOutPage(pageContextOf(request))))
    .all(refuseMethod('GET', 'HEAD'));
  return router;
}

/** The query of a request as it came, with its question mark. */
function queryOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

/** Nothing of the person stays in the browser (SESS-04); the cache is left alone, since Chromium stalls on it. */
function leave(response: Response): void {
  response.setHeader('Clear-Site-Data', '"cookies", "storage"');
  response.redirect(303, '/signed-out');
}

/** A mistyped address gets the form back with a sentence, instead of a page that leads nowhere. */
function correctableAddress(error: unknown, request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof CrfError) || !ADDRESS_PROBLEMS.has(error.code)) return next(error);
  const page = signInPage(pageContextOf(request), { problem: error.message });
  sendPage(response, page, { status: error.status });
}

const ADDRESS_PROBLEMS: ReadonlySet<string> = new Set([
  'invalid_identifier',
  'invalid_request',
  'domain_not_allowed',
]);

/** @returns a field of a form, given once and not empty */
function fieldOf(request: Request, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidRequestError([{ field: name, message: 'is required, once' }]);
}

function linkOf(request: Request): LinkToConfirm {
  const [userId, secret] = [fieldOf(request, 'userId'), fieldOf(request, 'secret')];
  const { st } = request.body as { readonly st?: unknown };
  return { userId, secret, ...(typeof st === 'string' && { st }) };
}

/** The mail and the list of sessions say which browser it was (SESS-09). */
function userAgentOf({ headers }: Request): { userAgent: string | undefined } {
  return { userAgent: headers['user-agent'] };
}

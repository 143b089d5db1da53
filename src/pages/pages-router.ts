import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { isProblem } from '../domain/errors/problem-error.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { bodyDeadline } from '../http/body-deadline.js';
import { cookiesOf } from '../http/express-cookies.js';
import { sameOrigin } from '../http/same-origin.js';
import { SignInFailedError } from '../domain/errors/access-errors.js';
import { refusal } from '../domain/errors/refusal.js';
import type { Auth, LinkToUse, SessionUser } from '../services/auth/auth-types.js';
import { askToSignIn, leadOn } from './after-sign-in.js';
import { deleteAccountPage, sessionsPage } from './account-pages.js';
import { pageContextOf } from './page-context.js';
import { getPage, pageRouter, postForm, refuseMethod } from './page-router.js';
import { sendPage } from './send-page.js';
import { chosenLanguageOf, isLanguage, keepLanguage, languageOf } from './texts/texts.js';
import { checkMailPage, codePage, signedOutPage, signInPage } from './sign-in-pages.js';

/** The dependencies of the pages. */
export interface PagesOptions {
  readonly auth: Auth;
  /** Limits requests for personal pages like calls of the API (RATE-01). */
  readonly callLimit: RequestHandler;
  /** Limits requests for links, before and after their body is read. */
  readonly signupLimits: (readBody: RequestHandler) => readonly RequestHandler[];
  /** Limits failed attempts to use a link. */
  readonly loginLimits: readonly RequestHandler[];
  /** How long a form may take to arrive; 60 s by default. */
  readonly bodyTimeoutMs?: number | undefined;
}

/**
 * Serves the pages of the sign-in and the account: check your mail, confirm, sessions, signed out, delete the account.
 * They consist of plain forms and links, and work without JavaScript. `GET /login`, where a sign-in starts, is an
 * operation of the API.
 */
export function createPagesRouter(options: PagesOptions): Router {
  const router = pageRouter();
  const form = bodyDeadline(
    express.urlencoded({ extended: false, limit: 16_384, parameterLimit: 10 }),
    options.bodyTimeoutMs,
  );

  for (const path of ['/login', '/dashboard', '/signed-out'])
    getPage(router, `${path}/`, (request, response) => response.redirect(308, path + queryOf(request)));

  serveSignIn(router, form, options);
  serveAccount(router, form, options);
  getPage(router, '/signed-out', (request, response) => {
    const { language } = request.query;
    if (!isLanguage(language)) return sendPage(response, signedOutPage(pageContextOf(request)));
    keepLanguage(request, response, language);
    response.redirect(303, '/signed-out');
  });
  return router;
}

/** The pages between the request for a link and its use. */
function serveSignIn(
  router: Router,
  form: RequestHandler,
  { auth, signupLimits, loginLimits }: PagesOptions,
): void {
  const post = (path: string, ...handlers: readonly (RequestHandler | ErrorRequestHandler)[]): void =>
    postForm(router, path, sameOrigin, ...handlers);
  const limitedForm = [...loginLimits, form];
  const sendLink: RequestHandler = async (request, response) => {
    await auth.signupWithEmail(fieldOf(request, 'email'), cookiesOf(request), {
      ...userAgentOf(request),
      language: languageOf(request),
    });
    response.redirect(303, '/login/sent');
  };
  post('/login/send', ...signupLimits(form), sendLink, correctableAddress);
  getPage(router, '/login/sent', async (request, response) => {
    const pending = await auth.pendingLink(cookiesOf(request));
    sendPage(response, checkMailPage(pageContextOf(request), { pending }));
  });
  post('/login/confirm', ...limitedForm, async (request: Request, response: Response) => {
    const { userId, secret, st } = linkOf(request);
    const options = { st, ...userAgentOf(request), isConfirmed: true };
    await auth.login(userId, secret, cookiesOf(request), options);
    leadOn(request, response, 303);
  });
  post('/login/other-device', ...limitedForm, async (request: Request, response: Response) => {
    const { userId, secret, st } = linkOf(request);
    const code = await auth.showCode(userId, secret, cookiesOf(request), { st });
    sendPage(response, codePage(pageContextOf(request), code));
  });
  post('/login/code', ...limitedForm, async (request: Request, response: Response) => {
    const cookies = cookiesOf(request);
    try {
      await auth.loginWithCode(fieldOf(request, 'code'), cookies, userAgentOf(request));
    } catch (error) {
      if (!(error instanceof SignInFailedError)) throw error;
      const context = pageContextOf(request);
      const problem = context.t.checkMail.wrongCode;
      const page = checkMailPage(context, { pending: await auth.pendingLink(cookies), problem });
      return sendPage(response, page, { status: error.status });
    }
    leadOn(request, response, 303);
  });
}

type RunSignedIn = (user: SessionUser, request: Request, response: Response) => Promise<void> | void;

/** The pages of signed-in people. */
function serveAccount(router: Router, form: RequestHandler, { auth, callLimit }: PagesOptions): void {
  /** Runs a handler for a signed-in person. Others are redirected to the sign-in form. */
  const signedIn =
    (run: RunSignedIn): RequestHandler =>
    async (request, response) => {
      const user = await auth.currentUser(cookiesOf(request));
      if (user === null) askToSignIn(request, response);
      else await run(user, request, response);
    };
  // Actions that end something are not limited.
  const page = (path: string, run: RunSignedIn): void => getPage(router, path, callLimit, signedIn(run));

  page('/dashboard/sessions', async (user, request, response) => {
    const sessions = await auth.listSessions(cookiesOf(request));
    sendPage(response, sessionsPage(pageContextOf(request), { user, sessions }));
  });
  page('/dashboard/my-data', async (_user, request, response) => {
    const data = await auth.personalData(cookiesOf(request));
    response
      .setHeader('Content-Disposition', 'attachment; filename="my-data.json"')
      .setHeader('Cache-Control', 'no-store');
    response.json(data);
  });
  const endSession = signedIn(async (user, request, response) => {
    await read(form, request, response);
    const id = fieldOf(request, 'id');
    await auth.endSession(id, cookiesOf(request));
    response.redirect(303, id === user.sessionId ? '/signed-out' : '/dashboard/sessions');
  });
  postForm(router, '/dashboard/sessions/end', sameOrigin, endSession);
  postForm(router, '/dashboard/sign-out', sameOrigin, async (request: Request, response: Response) => {
    await auth.logout(undefined, cookiesOf(request));
    leave(request, response);
  });
  const askToDelete = signedIn((user, request, response) =>
    sendPage(response, deleteAccountPage(pageContextOf(request), user)),
  );
  const deleteAccount = signedIn(async (user, request, response) => {
    await auth.deleteAccount(user.id, cookiesOf(request));
    leave(request, response);
  });
  router
    .route('/dashboard/delete-account')
    .get(callLimit, askToDelete)
    .post(sameOrigin, deleteAccount)
    .all(refuseMethod('GET', 'HEAD', 'POST'));
}

/** Reads the body of a request that is known to be allowed. */
function read(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

/** Returns the unchanged query of a request, with its question mark. */
function queryOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

/**
 * Removes all data of the person from the browser (SESS-04), except for the cache, because Chromium stalls when
 * clearing it.
 */
function leave(request: Request, response: Response): void {
  response.setHeader('Clear-Site-Data', '"cookies", "storage"');
  // The choice of a language is not the person's: the next page brings its cookie back.
  const language = chosenLanguageOf(request);
  response.redirect(303, language === undefined ? '/signed-out' : `/signed-out?language=${language}`);
}

/** Shows the form again with a message for a mistyped address, instead of an error page without a form. */
function correctableAddress(error: unknown, request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof CrfError) || !ADDRESS_PROBLEMS.has(error.code)) return next(error);
  const { email } = (request.body ?? {}) as { readonly email?: unknown };
  const given = typeof email === 'string' ? { email } : {};
  const context = pageContextOf(request);
  const { signIn, list } = context.t;
  const { domains = [] } = isProblem(error, 'domain_not_allowed') ? error.details : {};
  const problem =
    error.code !== 'domain_not_allowed'
      ? signIn.notAnAddress
      : domains.length === 0
        ? signIn.domainNotAllowed
        : signIn.domainsAllowed(list(domains));
  const page = signInPage(context, { problem, ...given });
  sendPage(response, page, { status: error.status });
}

const ADDRESS_PROBLEMS: ReadonlySet<string> = new Set([
  'invalid_identifier',
  'invalid_request',
  'domain_not_allowed',
]);

/** Returns a form field that must be given once and not be empty. */
function fieldOf(request: Request, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refusal(name, 'is required, once');
}

function linkOf(request: Request): LinkToUse {
  const [userId, secret] = [fieldOf(request, 'userId'), fieldOf(request, 'secret')];
  const { st } = request.body as { readonly st?: unknown };
  return { userId, secret, ...(typeof st === 'string' && { st }) };
}

/** Returns the browser, which the email and the list of sessions name (SESS-09). */
function userAgentOf({ headers }: Request): { userAgent: string | undefined } {
  return { userAgent: headers['user-agent'] };
}

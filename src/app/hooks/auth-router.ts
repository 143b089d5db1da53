import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { UnauthenticatedError } from '../../domain/errors/access-errors.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import {
  aFunction,
  required,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../../domain/identifiers/check-options.js';
import { acceptsPage } from '../../http/accepts-page.js';
import { bodyDeadline } from '../../http/body-deadline.js';
import { cookiesOf } from '../../http/express-cookies.js';
import { readJson } from '../../http/middleware/json-body.js';
import type { LimitStoreFactory } from '../../http/middleware/limits/limit-store.js';
import { createSignInLimits } from '../../http/middleware/limits/sign-in-limits.js';
import { isReadOnly } from '../../http/read-only.js';
import { isSameOrigin, mayComeFromPage } from '../../http/same-origin.js';
import { BARE_CONTEXT } from '../../pages/page-context.js';
import { confirmPage } from '../../pages/sign-in-pages.js';
import { sendPage } from '../../pages/send-page.js';
import { askedLanguageOf, LANGUAGES, languageOf } from '../../pages/texts/texts.js';
import { AUTH_RULE, isAuth } from '../../services/auth/auth-arguments.js';
import type { Auth } from '../../services/auth/auth-types.js';
import { openLink } from '../../services/auth/open-link.js';

/** How `createAuthRouter` fits into the host application. */
export interface AuthRouterOptions {
  /**
   * The public origin of the host application, such as `https://app.example.org`. Pages of other origins cannot make
   * changes.
   */
  readonly origin: string;
  /** Where a link redirects to after it has been used; `/dashboard` by default. */
  readonly afterLogin?: string;
  /**
   * Creates the stores of the limits, so that several processes count together; in the memory of this process by
   * default. Share what `createAuthService` remembers too, with its option `stores`.
   */
  readonly limitStores?: LimitStoreFactory | undefined;
}

/**
 * Creates the sign-in routes for a host application: `POST /api/v1/auth/signup`, `GET /login`, `POST /login/confirm`,
 * `POST /api/v1/auth/logout` and `GET /api/v1/auth/me`, with the same limits as in the service. Mount it at the root,
 * followed by `problemHandler()`.
 *
 * @throws {ConfigurationError} names every invalid option, but never its value
 */
export function createAuthRouter(auth: Auth, options: AuthRouterOptions): Router {
  const noAuth = isAuth(auth) ? [] : [{ field: 'auth', message: AUTH_RULE }];
  refuseProblems([...noAuth, ...optionProblems(options, OPTIONS)]);
  const { origin, afterLogin = '/dashboard' } = options;
  const router = express.Router();
  const limits = createSignInLimits((address) => auth.canonicalAddress(address), {
    stores: options.limitStores,
  });
  const ownPageOnly = (request: Request, _response: Response, next: NextFunction): void => {
    if (mayComeFromPage(request) && !isSameOrigin(request, [origin]))
      throw new ProblemError('cross_site_request');
    next();
  };
  const contextOf = (request: Request) => ({
    cookies: cookiesOf(request),
    userAgent: request.headers['user-agent'],
  });

  router.post(
    '/api/v1/auth/signup',
    ownPageOnly,
    ...limits.signup(readJson({ bodyBytes: 4096 })),
    async (request: Request, response: Response) => {
      const { cookies, userAgent } = contextOf(request);
      response.json({
        data: await auth.signupWithEmail(textOf(request, 'email'), cookies, {
          userAgent,
          language: askedLanguageOf(request),
        }),
      });
    },
  );
  router.get('/login', ...limits.login, async (request: Request, response: Response) => {
    const outcome = await openLink(auth, linkOf(request.query), {
      ...contextOf(request),
      isRead: isReadOnly(request),
      acceptsPage: acceptsPage(request),
    });
    if (outcome === 'signed-in') response.redirect(302, afterLogin);
    else if (outcome === 'nothing') response.status(204).end();
    else if (outcome === 'ask-address') throw new UnauthenticatedError('session');
    else
      sendPage(
        response,
        confirmPage({ ...BARE_CONTEXT, t: LANGUAGES[languageOf(request)] }, outcome.confirm, {
          accountSwitch: outcome.accountSwitch,
        }),
      );
  });
  router.post(
    '/login/confirm',
    ownPageOnly,
    ...limits.login,
    bodyDeadline(express.urlencoded({ extended: false })),
    async (request: Request, response: Response) => {
      const { cookies, userAgent } = contextOf(request);
      const [userId, secret] = [textOf(request, 'userId'), textOf(request, 'secret')];
      const { st } = linkOf(request.body);
      await auth.login(userId, secret, cookies, { st, userAgent, isConfirmed: true });
      response.redirect(303, afterLogin);
    },
  );
  router.post('/api/v1/auth/logout', ownPageOnly, async (request, response) => {
    await auth.logout(undefined, cookiesOf(request));
    response.json({ data: null });
  });
  router.get('/api/v1/auth/me', async (request, response) => {
    const user = await auth.currentUser(cookiesOf(request));
    if (user === null) throw new UnauthenticatedError('session');
    response.json({ data: user });
  });
  return router;
}

const OPTIONS = {
  origin: required(
    (value) => typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
    'must be an origin, as in https://app.example.org',
  ),
  afterLogin: optional(
    (value) => typeof value === 'string' && /^(\/(?![/\\])|https?:\/\/)/.test(value),
    'must be a path, as in /dashboard, or an absolute URL',
  ),
  limitStores: aFunction,
} satisfies OptionRules<keyof AuthRouterOptions>;

function textOf(request: Request, name: string): string {
  const value = (request.body as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidRequestError([{ field: name, message: 'is required and must be a string' }]);
}

/** Returns the parameters of a link, ignoring those that are not single texts. */
function linkOf(parameters: unknown): { userId?: string; secret?: string; st?: string } {
  const given = (parameters ?? {}) as Record<string, unknown>;
  const texts = ['userId', 'secret', 'st'].filter((name) => typeof given[name] === 'string');
  return Object.fromEntries(texts.map((name) => [name, given[name]]));
}

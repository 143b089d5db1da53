import { Controller, Get, Queries, Request, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { confirmPage, signInPage } from '../pages/sign-in-pages.js';
import { pageContextOf } from '../pages/page-context.js';
import { sendPage } from '../pages/send-page.js';
import type { LoginService } from '../services/auth/login-service.js';
import { PROBLEM, type Problem } from './problem.js';
import type { SessionCookies } from './session-cookies.js';

/** What a sign-in link carries. Without any of it the page asks for an address. */
export interface LoginQuery {
  /** The user id. */
  userId?: string;
  /** The secret of the link. */
  secret?: string;
  /** When and for which browser this service made the link, signed. */
  st?: string;
  /** Put there by the identity backend; ignored. */
  expire?: string;
  /** Put there by the identity backend; ignored. */
  project?: string;
}

@Route('login')
@Tags('Sign-in')
export class LoginController extends Controller {
  constructor(
    private readonly login: LoginService,
    private readonly cookies: SessionCookies,
  ) {
    super();
  }

  /**
   * Where the link in the mail leads. With `userId` and `secret` it sets the session cookie and answers 302 to
   * `/dashboard`; depending on `LOGIN_CONFIRM`, and always where another account is signed in, a page with one button
   * comes first. Without them it is the page that
   * asks for an address. HEAD, prefetch and prerender use nothing up. A link that cannot be used is answered alike
   * whatever is wrong with it.
   * @summary Use a sign-in link
   */
  @Get()
  @SuccessResponse(200, 'The page that asks for an address, or for a confirmation', 'text/html')
  @Response<string>(
    302,
    'Signed in: the session cookie is set, and the dashboard is next',
    undefined,
    'text/html',
  )
  @Response<Problem>(401, 'sign_in_failed: the link cannot be used', undefined, PROBLEM)
  @Response<Problem>(
    409,
    'other_account_signed_in: sign out first, or confirm it on a page',
    undefined,
    PROBLEM,
  )
  @Response<Problem>(429, 'rate_limited: too many failures from this network', undefined, PROBLEM)
  @Response<Problem>(503, 'identity_unavailable: the link is still good', undefined, PROBLEM)
  async useLink(@Request() request: ExpressRequest, @Queries() query: LoginQuery): Promise<string> {
    const { res: response } = request;
    if (response === undefined) throw new TypeError('The request has no response.');

    const outcome = await this.login.open(query, {
      cookies: this.cookies.of(request),
      isRead: this.cookies.isReadOnly(request),
      acceptsPage: this.cookies.acceptsPage(request),
      userAgent: request.headers['user-agent'],
    });
    if (outcome === 'signed-in') response.status(302).setHeader('Location', '/dashboard').end();
    else if (outcome === 'nothing') response.status(204).end();
    else if (outcome === 'ask-address') sendPage(response, signInPage(pageContextOf(request)));
    else
      sendPage(
        response,
        confirmPage(pageContextOf(request), outcome.confirm, {
          accountSwitch: outcome.accountSwitch,
          otherDevice: outcome.otherDevice,
        }),
      );
    return ''; // tsoa leaves an answer alone whose headers are sent
  }
}

import { Controller, Get, Queries, Request, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { acceptsPage } from '../http/accepts-page.js';
import { cookiesOf } from '../http/express-cookies.js';
import { isReadOnly } from '../http/read-only.js';
import { responseOf } from '../http/request-state.js';
import { leadOn } from '../pages/after-sign-in.js';
import { confirmPage, signInPage } from '../pages/sign-in-pages.js';
import { pageContextOf } from '../pages/page-context.js';
import { sendPage } from '../pages/send-page.js';
import type { Auth } from '../services/auth/auth-types.js';
import { openLink } from '../services/auth/open-link.js';
import type { Problem } from '../http/send-problem.js';

/** The parameters of a sign-in link. Without them, the page asks for an address. */
export interface LoginQuery {
  /** The user id. */
  userId?: string;
  /** The secret of the link. */
  secret?: string;
  /** Signed data of this service: when and for which browser the link was created. */
  st?: string;
  /** Added by the identity backend; ignored. */
  expire?: string;
  /** Added by the identity backend; ignored. */
  project?: string;
}

@Route('login')
@Tags('Sign-in')
export class LoginController extends Controller {
  constructor(private readonly auth: Auth) {
    super();
  }

  /**
   * Opens the link from the email. With `userId` and `secret` it sets the session cookie and responds with 302 to the
   * page that this browser asked for before, or to `/dashboard`. A confirmation page with one button comes first if `LOGIN_CONFIRM` requires it, and always if another
   * account is signed in. Without parameters, the page asks for an email address. HEAD, prefetch and prerender requests
   * do not use up the link. A link that cannot be used gets the same response whatever the reason.
   * @summary Use a sign-in link
   */
  @Get()
  @SuccessResponse(200, 'A page that asks for an email address or for confirmation', 'text/html')
  @Response<string>(
    302,
    'Signed in: the session cookie is set, and Location is the page that was asked for, or the dashboard',
    undefined,
    'text/html',
  )
  @Response<void>(204, 'The link was prefetched, and is not used up')
  @Response<Problem>(401, 'sign_in_failed: the link cannot be used')
  @Response<Problem>(409, 'other_account_signed_in: sign out first, or confirm on a page')
  @Response<Problem>(429, 'rate_limited: too many failed attempts from this network')
  @Response<Problem>(503, 'identity_unavailable: the link remains valid')
  async useLink(@Request() request: ExpressRequest, @Queries() query: LoginQuery): Promise<string> {
    const response = responseOf(request);

    const outcome = await openLink(this.auth, query, {
      cookies: cookiesOf(request),
      isRead: isReadOnly(request),
      acceptsPage: acceptsPage(request),
      userAgent: request.headers['user-agent'],
    });
    if (outcome === 'signed-in') leadOn(request, response, 302);
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
    return ''; // tsoa ignores the result once the headers are sent
  }
}

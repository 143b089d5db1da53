import {
  Body,
  Controller,
  Delete,
  Example,
  Get,
  Path,
  Post,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { UnauthenticatedError } from '../domain/errors/access-errors.js';
import { sendUnlessKnown } from './tagged-answers.js';
import { rightsOf, type ProjectRights } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { refuseForeignPage } from '../http/same-origin.js';
import { askedLanguageOf } from '../pages/texts/texts.js';
import type { Auth, SessionSummary, SessionUser, SignupResult } from '../services/auth/auth-types.js';
import type { Problem } from '../http/send-problem.js';

/** A request for a sign-in link. */
export interface SignupRequest {
  /**
   * The email address to which the link is sent.
   * @maxLength 254
   * @example "ada.lovelace@example.org"
   */
  email: string;
}

/** The link that was requested. */
export interface SignupResponse {
  data: SignupResult;
}

/** An empty result. */
export interface NothingResponse {
  data: null;
}

/** The signed-in person. */
export interface MeResponse {
  data: SignedInPerson;
}

/** The signed-in person, and what policies allow them. */
export interface SignedInPerson extends SessionUser {
  /** What the person may do in each of their projects in which a policy decides that; absent without policies. */
  policies?: ProjectRights[];
}

/** The sessions of the signed-in person. */
export interface SessionsResponse {
  data: SessionSummary[];
}

@Route('api/v1/auth')
@Tags('Sign-in')
export class AuthController extends Controller {
  constructor(private readonly auth: Auth) {
    super();
  }

  /**
   * Sends an email with a link that signs in whoever opens it. The response and its timing are the same whether or not
   * the address is known. Addresses outside the allowed domains are refused.
   * @summary Request a sign-in link
   */
  @Post('signup')
  @SuccessResponse(200, 'A link has been sent')
  @Example<SignupResponse>({ data: { token: '6740a1f2c3d4e5f60718', phrase: 'Amber lantern' } })
  @Response<Problem>(400, 'invalid_request, invalid_identifier: not an email address')
  @Response<Problem>(403, 'domain_not_allowed, cross_site_request')
  async signup(@Request() request: ExpressRequest, @Body() body: SignupRequest): Promise<SignupResponse> {
    refuseForeignPage(request);
    return {
      data: await this.auth.signupWithEmail(body.email, cookiesOf(request), {
        ...userAgentOf(request),
        language: askedLanguageOf(request),
      }),
    };
  }

  /**
   * Ends the session of the cookie, in this service and at the identity backend, and clears the cookie. The response is
   * the same if the session is over already.
   * @summary Sign out
   */
  @Post('logout')
  @SuccessResponse(200, 'This device is signed out')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(401, 'unauthenticated: there is no session cookie')
  @Response<Problem>(403, 'cross_site_request')
  async logout(@Request() request: ExpressRequest): Promise<NothingResponse> {
    refuseForeignPage(request);
    await this.auth.logout(undefined, cookiesOf(request));
    this.setHeader('Clear-Site-Data', '"cookies", "storage"');
    return { data: null };
  }

  /**
   * Deletes the account of the session, after ending all of its sessions. The study's data in REDCap is unchanged.
   * Requires a sign-in within the last ten minutes.
   * @summary Delete my account
   */
  @Delete('account')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The account is deleted')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(403, 'recent_sign_in_required, cross_site_request')
  @Response<Problem>(503, 'identity_unavailable: the deletion resumes where it stopped')
  async deleteAccount(@Request() request: ExpressRequest): Promise<NothingResponse> {
    refuseForeignPage(request);
    await this.auth.deleteAccount(undefined, cookiesOf(request));
    this.setHeader('Clear-Site-Data', '"cookies", "storage"');
    return { data: null };
  }

  /**
   * Returns the person who is signed in with the session cookie, and what policies allow them.
   * @summary Get the signed-in person
   */
  @Get('me')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The person')
  async getMe(@Request() request: ExpressRequest): Promise<MeResponse> {
    const user = await this.auth.currentUser(cookiesOf(request));
    if (user === null) throw new UnauthenticatedError('session');
    const caller = await requestState(request).caller;
    const policies = caller === undefined ? [] : await rightsOf(request, caller);
    return { data: { ...user, ...(policies.length > 0 && { policies }) } };
  }

  /**
   * Returns the sessions of the signed-in person on all devices, in the order in which Appwrite lists them.
   * @summary List my sessions
   */
  @Get('sessions')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The sessions')
  async listSessions(@Request() request: ExpressRequest): Promise<SessionsResponse> {
    return sendUnlessKnown(request, { data: await this.auth.listSessions(cookiesOf(request)) }, 'no-store');
  }

  /**
   * Ends one session of the signed-in person. Ending the current session also clears the cookie.
   * @param id the session id, as listed
   * @example id "6740a1f2c3d4e5f60718"
   * @summary End a session
   */
  @Delete('sessions/{id}')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The session has ended')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(403, 'cross_site_request')
  @Response<Problem>(404, 'session_not_found: you have no such session')
  async endSession(@Request() request: ExpressRequest, @Path() id: string): Promise<NothingResponse> {
    refuseForeignPage(request);
    await this.auth.endSession(id, cookiesOf(request));
    return { data: null };
  }
}

/** Returns the browser that requested the email, which the email names. */
function userAgentOf(request: ExpressRequest): { userAgent: string | undefined } {
  return { userAgent: request.headers['user-agent'] };
}

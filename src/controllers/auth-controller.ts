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
import type { Auth } from '../services/auth/auth-types.js';
import type { SessionCookies } from './session-cookies.js';
import { PROBLEM, type Problem } from './problem.js';
import { signedInUser } from './signed-in-user.js';

/** Who wants to sign in. */
export interface SignupRequest {
  /**
   * The email address that gets the link.
   * @maxLength 254
   * @example "ada.lovelace@example.org"
   */
  email: string;
}

/** A link is on its way. */
export interface SignupResponse {
  data: {
    /**
     * The id of the link. It opens nothing: the secret is in the mail alone.
     * @example "6740a1f2c3d4e5f60718"
     */
    token: string;
    /**
     * Words that stand in the mail too; empty when there are none. A mail with other words was asked for by somebody else.
     * @example "Amber lantern"
     */
    phrase: string;
  };
}

/** Done; there is nothing to tell. */
export interface NothingResponse {
  data: null;
}

/** The person behind the session. */
export interface MeResponse {
  data: {
    /** The user id. */
    id: string;
    /** The email address. */
    email: string;
    /** The session that the request carries. */
    sessionId: string;
    /** When the link was used; ISO 8601. */
    authenticatedAt: string;
    /** When the session ends at the latest; ISO 8601. Left unused it ends earlier. */
    expiresAt: string;
    /** How the person proved who they are. */
    method: 'magic-url';
  };
}

/** A session of the person. */
export interface SessionResponse {
  /** The session id. It opens nothing. */
  id: string;
  /** Whether the request carries it. */
  isCurrent: boolean;
  createdAt: string;
  expiresAt: string;
  /** Browser and system, or empty when unknown. */
  device: string;
  /** The country of the network, or empty when unknown. */
  country: string;
}

/** The sessions of the person. */
export interface SessionsResponse {
  data: SessionResponse[];
}

@Route('api/v1/auth')
@Tags('Sign-in')
export class AuthController extends Controller {
  constructor(
    private readonly auth: Auth,
    private readonly cookies: SessionCookies,
  ) {
    super();
  }

  /**
   * Mails a link that signs in whoever opens it. The answer is the same whether or not the address is known, and
   * takes the same time. Addresses of other domains than the allowed ones are refused.
   * @summary Ask for a sign-in link
   */
  @Post('signup')
  @SuccessResponse(200, 'A link is on its way')
  @Example<SignupResponse>({ data: { token: '6740a1f2c3d4e5f60718', phrase: 'Amber lantern' } })
  @Response<Problem>(400, 'invalid_request, invalid_identifier: not an email address', undefined, PROBLEM)
  @Response<Problem>(403, 'domain_not_allowed, cross_site_request', undefined, PROBLEM)
  async signup(@Request() request: ExpressRequest, @Body() body: SignupRequest): Promise<SignupResponse> {
    this.cookies.refuseForeignPage(request);
    return {
      data: await this.auth.signupWithEmail(body.email, this.cookies.of(request), userAgentOf(request)),
    };
  }

  /**
   * Ends the session of the cookie, here and at the identity backend, and clears the cookie. Without a session it
   * says the same.
   * @summary Sign out
   */
  @Post('logout')
  @SuccessResponse(200, 'No session is left on this device')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(403, 'cross_site_request', undefined, PROBLEM)
  async logout(@Request() request: ExpressRequest): Promise<NothingResponse> {
    this.cookies.refuseForeignPage(request);
    await this.auth.logout(undefined, this.cookies.of(request));
    this.setHeader('Clear-Site-Data', '"cookies", "storage"');
    return { data: null };
  }

  /**
   * Deletes the account of the session, all its sessions first. The study’s data in REDCap stays as it is. The
   * sign-in must be younger than ten minutes.
   * @summary Delete my account
   */
  @Delete('account')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The account is gone')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(403, 'recent_sign_in_required, cross_site_request', undefined, PROBLEM)
  @Response<Problem>(503, 'identity_unavailable: try again, it goes on where it stopped', undefined, PROBLEM)
  async deleteAccount(@Request() request: ExpressRequest): Promise<NothingResponse> {
    this.cookies.refuseForeignPage(request);
    await this.auth.deleteAccount(undefined, this.cookies.of(request));
    this.setHeader('Clear-Site-Data', '"cookies", "storage"');
    return { data: null };
  }

  /**
   * The person behind the session cookie.
   * @summary Who am I?
   */
  @Get('me')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The person')
  async me(@Request() request: ExpressRequest): Promise<MeResponse> {
    return { data: await signedInUser(this.auth, this.cookies.of(request)) };
  }

  /**
   * The sessions of the person, on all their devices.
   * @summary List my sessions
   */
  @Get('sessions')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The sessions')
  async listSessions(@Request() request: ExpressRequest): Promise<SessionsResponse> {
    return { data: await this.auth.listSessions(this.cookies.of(request)) };
  }

  /**
   * Ends one of the person's sessions. Ending the current one clears the cookie too.
   * @param id the session id, as the list has it
   * @example id "6740a1f2c3d4e5f60718"
   * @summary End a session
   */
  @Delete('sessions/{id}')
  @Security('cookieAuth')
  @SuccessResponse(200, 'The session has ended')
  @Example<NothingResponse>({ data: null })
  @Response<Problem>(403, 'cross_site_request', undefined, PROBLEM)
  @Response<Problem>(404, 'session_not_found: not one of yours', undefined, PROBLEM)
  async endSession(@Request() request: ExpressRequest, @Path() id: string): Promise<NothingResponse> {
    this.cookies.refuseForeignPage(request);
    await this.auth.endSession(id, this.cookies.of(request));
    return { data: null };
  }
}

/** The mail says from which browser it was asked for. */
function userAgentOf(request: ExpressRequest): { userAgent: string | undefined } {
  return { userAgent: request.headers['user-agent'] };
}

import type { CookieOptions, Request, Response } from 'express';
import { cookiesOf } from '../http/express-cookies.js';
import { ownAddress } from '../http/own-address.js';
import { requestState } from '../http/request-state.js';

/** The cookie with the address of the page that a person asked for before they were signed in. */
const COOKIE = 'crf_return_to';
/** A cookie with an address that is longer would not be kept. */
const MOST_LETTERS = 2000;
const HOUR_MS = 3_600_000;

/** Leads to the sign-in form and, after the sign-in in the same browser, back to the page that was asked for. */
export function askToSignIn(request: Request, response: Response): void {
  // The link of the mail leads to the service itself, whatever the project.
  const mount = requestState(request).base.replace(/\/projects\/[^/]+$/, '');
  const address = request.originalUrl.slice(mount.length);
  if (request.method === 'GET' && address.length <= MOST_LETTERS)
    response.cookie(COOKIE, address, { ...attributesOf(request), maxAge: HOUR_MS });
  response.redirect(303, '/login');
}

/** Leads to the page that was asked for before the sign-in, or to the dashboard. */
export function leadOn(request: Request, response: Response, status: 302 | 303): void {
  const asked = cookiesOf(request).get(COOKIE);
  if (asked !== undefined) response.clearCookie(COOKIE, attributesOf(request));
  // Another site of the same domain can set cookies too.
  response
    .status(status)
    .location(ownAddress(asked) ?? '/dashboard')
    .end();
}

function attributesOf(request: Request): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: request.secure };
}

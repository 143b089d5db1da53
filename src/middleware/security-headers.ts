import type { NextFunction, Request, Response } from 'express';
import { SECURITY_HEADERS } from '../http/security-headers.js';

const ENTRIES = Object.entries(SECURITY_HEADERS);

/** Two years; only over https, where a browser heeds it. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000; includeSubDomains';

/** Sets the headers of HDR-01. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of ENTRIES) response.setHeader(name, value);
  if (isSignIn(request.url)) response.setHeader('X-Robots-Tag', 'noindex');
  if (maybeSecure(request) && request.secure) {
    response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
  }
  next();
}

/** Redirects and problem documents of the sign-in, too: its links have a secret in them (LOGIN-12). */
function isSignIn(url: string): boolean {
  return url.startsWith('/login');
}

/** Express asks its proxy rules for every `secure`; plain http without a proxy's word for it need not. */
function maybeSecure({ socket, headers }: Request): boolean {
  return headers['x-forwarded-proto'] !== undefined || 'encrypted' in socket;
}

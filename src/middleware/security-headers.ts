import type { NextFunction, Request, Response } from 'express';
import { pathOf } from '../http/path-of.js';
import { SECURITY_HEADERS } from '../http/security-headers.js';

const ENTRIES = Object.entries(SECURITY_HEADERS);

/** Two years. Sent only over https, because browsers ignore it otherwise. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000; includeSubDomains';

/** Sets the security headers (HDR-01). */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of ENTRIES) response.setHeader(name, value);
  if (isSignIn(pathOf(request))) response.setHeader('X-Robots-Tag', 'noindex');
  if (maybeSecure(request) && request.secure) {
    response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
  }
  next();
}

/** Includes redirects and problem documents of the sign-in, because its links contain a secret (LOGIN-12). */
function isSignIn(path: string): boolean {
  return path.startsWith('/login');
}

/** Avoids Express's `secure`, which evaluates the proxy rules, for plain http without a proxy header. */
function maybeSecure({ socket, headers }: Request): boolean {
  return headers['x-forwarded-proto'] !== undefined || 'encrypted' in socket;
}

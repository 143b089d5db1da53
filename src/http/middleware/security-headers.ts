import type { NextFunction, Request, Response } from 'express';
import { SECURITY_HEADERS } from '../security-headers.js';

const ENTRIES = Object.entries(SECURITY_HEADERS);

/** Two years. Sent only over https, because browsers ignore it otherwise. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000; includeSubDomains';

/** Sets the security headers (HDR-01). */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of ENTRIES) response.setHeader(name, value);
  if (isSignIn(request.path)) response.setHeader('X-Robots-Tag', 'noindex');
  if (request.secure) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
  next();
}

/** Includes redirects and problem documents of the sign-in, because its links contain a secret (LOGIN-12). */
function isSignIn(path: string): boolean {
  return path.startsWith('/login');
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HealthService } from '../../services/health-service.js';
import { SECURITY_HEADERS } from '../security-headers.js';

const ENTRIES = Object.entries(SECURITY_HEADERS);

/** Two years. Sent only over https, because browsers ignore it otherwise. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000; includeSubDomains';

/** Sets the security headers (HDR-01). */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of ENTRIES) response.setHeader(name, value);
  // Also of redirects and problem documents of the sign-in, because its links contain a secret (LOGIN-12).
  if (request.path.startsWith('/login')) response.setHeader('X-Robots-Tag', 'noindex');
  if (request.secure) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
  next();
}

/** Marks every response as coming from the sandbox. */
export function sandboxHeader(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Crf-Sandbox', 'true');
  next();
}

/**
 * Closes the connection after every response while the service drains. Otherwise a client with a keep-alive connection
 * could keep the process running long after its last request (OPS-02).
 */
export function closeWhenStopping(health: HealthService): RequestHandler {
  return (_request, response, next) => {
    if (health.isStopping) response.setHeader('Connection', 'close');
    next();
  };
}

/** Log, metrics, audit log, load shedding and cancellation listen once each, and a pipeline into the response six times. */
const MAX_LISTENERS = 20;

/** Lets a response have as many listeners as its stages need. Node warns of a leak from the eleventh on. */
export function allowListeners(_request: Request, response: Response, next: NextFunction): void {
  response.setMaxListeners(MAX_LISTENERS);
  next();
}

import type { NextFunction, Request, Response } from 'express';
import { UnexpectedHostError } from '../errors/unexpected-host-error.js';
import { isLoopbackHost } from '../identifiers/api-url.js';

const PORT = /:\d+$/;

/**
 * Refuses a request for any host but a loopback one. Listening on loopback keeps other machines out, not the pages in
 * this machine's browser: one whose name was made to resolve to 127.0.0.1 (DNS rebinding) counts as the same origin.
 *
 * @throws {UnexpectedHostError}
 */
export function loopbackOnly(request: Request, _response: Response, next: NextFunction): void {
  const { host = '' } = request.headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) throw new UnexpectedHostError();
  next();
}

import type { NextFunction, Request, Response } from 'express';
import { MalformedRequestError } from '../errors/caller-errors.js';

/**
 * Refuses an HTTP/1.1 request without a `Host` header (RFC 9112, 3.2). Node would refuse it too, but without a request
 * id, our headers and a log entry.
 *
 * @throws {MalformedRequestError}
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    throw new MalformedRequestError('The request has no Host header.');
  next();
}

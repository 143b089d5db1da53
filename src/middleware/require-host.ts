import type { NextFunction, Request, Response } from 'express';
import { MalformedRequestError } from '../errors/caller-errors.js';

/**
 * Refuses an HTTP/1.1 request without a `Host` header, and any with several (RFC 9112, 3.2). Node would refuse the former
 * too, but without a request id, our headers and a log entry; of several it uses the first, and a proxy may use another.
 *
 * @throws {MalformedRequestError}
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    throw new MalformedRequestError('The request has no Host header.');
  if (hostsIn(request) > 1) throw new MalformedRequestError('The request has several Host headers.');
  next();
}

/** Counts in the raw headers, where names and values alternate: `headersDistinct` would copy all of them. */
function hostsIn({ rawHeaders }: Request): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { isLoopbackHost } from '../../domain/identifiers/api-url.js';
import { hostProblem } from '../host-header.js';
import { SAFE_METHODS } from '../same-origin.js';

/**
 * Refuses a request whose host is missing, named twice or none. Node would refuse only the first, without a request id,
 * our headers and a log entry.
 *
 * @throws {MalformedRequestError}
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const problem = hostProblem(request);
  if (problem !== undefined) throw new MalformedRequestError(problem);
  next();
}

const PORT = /:\d+$/;

/** The headers that proxies add: `Forwarded`, `Via`, `X-Real-IP`, `X-Forwarded-For`, `-Host`, `-Proto` and the like. */
const PROXY_HEADER = /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/;

/**
 * Refuses a request for a host other than loopback, one that came through a proxy, and a change that a page of another
 * site asks for. Listening on loopback keeps other machines out, but not pages in a browser on this machine: a page whose
 * host name was made to resolve to 127.0.0.1 (DNS rebinding) counts as same-origin. Neither does it keep out clients that
 * a proxy on this machine lets in. One that adds no header and speaks HTTP/1.1, or forwards bytes, cannot be told from a
 * local program.
 *
 * @throws {ProblemError} `unexpected_host`, `proxied_request`, `cross_site_request`
 */
export function loopbackOnly(request: Request, _response: Response, next: NextFunction): void {
  const { headers } = request;
  const { host = '' } = headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) throw new ProblemError('unexpected_host');
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name)))
    throw new ProblemError('proxied_request', { sign: 'header' });
  // nginx before 1.29.7 with nothing but a `proxy_pass`: the host is loopback, and no header tells.
  if (request.httpVersion === '1.0') throw new ProblemError('proxied_request', { sign: 'http-1.0' });
  if (!SAFE_METHODS.has(request.method) && isFromOtherSite(headers))
    throw new ProblemError('cross_site_request');
  next();
}

/** Pages on other ports of this machine, such as a development server, are the same site. */
function isFromOtherSite({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'cross-site';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !isLoopbackHost(new URL(origin).hostname);
}

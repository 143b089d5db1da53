import type { NextFunction, Request, Response } from 'express';
import { ProxiedRequestError, UnexpectedHostError } from '../errors/operator-errors.js';
import { isLoopbackHost } from '../identifiers/api-url.js';

const PORT = /:\d+$/;

/** The headers that proxies add: `Forwarded`, `Via`, `X-Real-IP`, `X-Forwarded-For`, `-Host`, `-Proto` and the like. */
const PROXY_HEADER = /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/;

/**
 * Refuses a request for a host other than loopback, and one that came through a proxy. Listening on loopback keeps
 * other machines out, but not pages in a browser on this machine: a page whose host name was made to resolve to
 * 127.0.0.1 (DNS rebinding) counts as same-origin. Neither does it keep out clients that a proxy on this machine lets
 * in.
 *
 * @throws {UnexpectedHostError}
 * @throws {ProxiedRequestError}
 */
export function loopbackOnly(request: Request, _response: Response, next: NextFunction): void {
  const { headers } = request;
  const { host = '' } = headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) throw new UnexpectedHostError();
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name))) throw new ProxiedRequestError();
  next();
}

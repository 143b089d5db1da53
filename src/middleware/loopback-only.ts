import type { NextFunction, Request, Response } from 'express';
import { ProxiedRequestError, UnexpectedHostError } from '../errors/operator-errors.js';
import { isLoopbackHost } from '../identifiers/api-url.js';

const PORT = /:\d+$/;

/** What a proxy adds to a request that it passes on; `X-Forwarded-For`, `-Host`, `-Proto` and their kin. */
const PROXY_HEADER = /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/;

/**
 * Refuses a request for any host but a loopback one, and one that came through a proxy. Listening on loopback keeps other
 * machines out, not the pages in this machine's browser: one whose name was made to resolve to 127.0.0.1 (DNS
 * rebinding) counts as the same origin. Nor does it keep out whom a proxy on this machine lets in.
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

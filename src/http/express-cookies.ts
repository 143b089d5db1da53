import { parse } from 'cookie';
import type { Request, Response } from 'express';
import type { CookieAttributes, CookieStore } from '../services/auth/auth-types.js';
import { responseOf } from './request-state.js';

/**
 * Adapts Express's cookies to the interface that `Auth` uses. Reads the cookies parsed by cookie-parser, or the
 * header itself if the host application has no cookie-parser. Setting and deleting write `Set-Cookie` headers.
 */
export function expressCookies(request: Request, response: Response): CookieStore {
  return {
    get(name) {
      const value = parsedCookies(request)[name];
      return typeof value === 'string' ? value : undefined;
    },
    set(name, value, attributes) {
      withdraw(response, name);
      response.cookie(name, value, expressOptions(attributes));
    },
    delete(name, attributes) {
      withdraw(response, name);
      // The attributes must be the same: browsers ignore a deletion without `Secure` (COOK-03).
      response.cookie(name, '', { ...expressOptions(attributes), expires: new Date(0), maxAge: 0 });
    },
  };
}

/** Returns the cookies of a request that Express has linked to its response. */
export function cookiesOf(request: Request): CookieStore {
  const response = responseOf(request);
  return expressCookies(request, response);
}

/**
 * Removes an earlier `Set-Cookie` of the same name: a response may set a cookie only once. @see RFC 6265, section 4.1.1
 */
function withdraw(response: Response, name: string): void {
  const lines = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
  response.setHeader(
    'Set-Cookie',
    lines.filter((line) => !line.startsWith(`${name}=`)),
  );
}

function parsedCookies(request: Request): Record<string, unknown> {
  const parsed = request.cookies as Record<string, unknown> | undefined;
  return parsed ?? parse(request.headers.cookie ?? '');
}

/** Express expects `maxAge` in milliseconds; cookies and SvelteKit use seconds. */
function expressOptions({ maxAge, ...attributes }: CookieAttributes) {
  return { ...attributes, ...(maxAge !== undefined && { maxAge: maxAge * 1000 }) };
}

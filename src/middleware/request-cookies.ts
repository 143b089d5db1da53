import type { Request } from 'express';
import type { CookieAttributes, CookieStore } from '../services/auth/auth-types.js';

/**
 * Express's cookies as the three methods that `AuthService` knows. Reading needs cookie-parser; setting and
 * deleting write `Set-Cookie` headers on the answer.
 */
export function requestCookies(request: Request): CookieStore {
  const { res: response } = request;
  return {
    get(name) {
      const value: unknown = (request.cookies as Record<string, unknown> | undefined)?.[name];
      return typeof value === 'string' ? value : undefined;
    },
    set(name, value, attributes) {
      response?.cookie(name, value, expressOptions(attributes));
    },
    delete(name, attributes) {
      // Express's own clearCookie would do; a cookie with the same attributes and no life says plainly what is meant.
      response?.cookie(name, '', { ...expressOptions(attributes), expires: new Date(0), maxAge: 0 });
    },
  };
}

/** Express counts maxAge in milliseconds, cookies and SvelteKit in seconds. */
function expressOptions({ maxAge, ...attributes }: CookieAttributes): {
  path: string;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'lax' | 'strict' | 'none';
  expires?: Date;
  maxAge?: number;
} {
  return { ...attributes, ...(maxAge !== undefined && { maxAge: maxAge * 1000 }) };
}

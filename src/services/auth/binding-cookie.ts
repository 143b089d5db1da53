import { createHash, randomBytes } from 'node:crypto';
import type { CookieAttributes, CookieStore } from './auth-types.js';

const VALUE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Marks the browser that requests a link, so that it is recognised when the link is opened (AUTH-06). */
export class BindingCookie {
  constructor(
    readonly name: string,
    private readonly isSecure: boolean,
    private readonly maxAgeSeconds: number,
  ) {}

  /** @returns the digest for the state of the link; only the browser has the value itself */
  issue(cookies: CookieStore): Buffer {
    const value = randomBytes(32).toString('base64url');
    cookies.set(this.name, value, { ...this.#attributes(), maxAge: this.maxAgeSeconds });
    return digest(value);
  }

  digestOf(cookies: CookieStore): Buffer | undefined {
    const value = cookies.get(this.name);
    return value !== undefined && VALUE_PATTERN.test(value) ? digest(value) : undefined;
  }

  clear(cookies: CookieStore): void {
    if (cookies.get(this.name) !== undefined) cookies.delete(this.name, this.#attributes());
  }

  #attributes(): CookieAttributes {
    return { path: '/', httpOnly: true, secure: this.isSecure, sameSite: 'lax' };
  }
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

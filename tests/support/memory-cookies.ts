import type { CookieAttributes, CookieStore } from '../../src/services/auth/auth-types.js';

/** A `CookieStore` for one browser's cookies, with their attributes. */
export class MemoryCookies implements CookieStore {
  readonly values = new Map<string, string>();
  /** The last attributes by name, from setting or deleting. */
  readonly attributes = new Map<string, CookieAttributes>();

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  set(name: string, value: string, attributes: CookieAttributes): void {
    this.values.set(name, value);
    this.attributes.set(name, attributes);
  }

  delete(name: string, attributes: CookieAttributes): void {
    this.values.delete(name);
    this.attributes.set(name, attributes);
  }
}

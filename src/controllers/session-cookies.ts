import type { Request } from 'express';
import type { CookieStore } from '../services/auth/auth-types.js';

/** What the controllers need of the cookies of a request: given to them, so that they import no middleware. */
export interface SessionCookies {
  of(request: Request): CookieStore;
  /** @throws {CrossSiteRequestError} a page of another site sent the request */
  refuseForeignPage(request: Request): void;
  /** Whether nobody has opened the link: a HEAD, a prefetch, a preview. */
  isReadOnly(request: Request): boolean;
  /** Whether whoever asks reads pages. */
  acceptsPage(request: Request): boolean;
}

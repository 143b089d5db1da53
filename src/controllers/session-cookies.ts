import type { Request } from 'express';
import type { CookieStore } from '../services/auth/auth-types.js';

/** The cookie and header checks that the controllers need, injected so that controllers import no middleware. */
export interface SessionCookies {
  of(request: Request): CookieStore;
  /** @throws {CrossSiteRequestError} a page of another site sent the request */
  refuseForeignPage(request: Request): void;
  /** Whether the request is not a visit by a person: a HEAD, a prefetch or a preview. */
  isReadOnly(request: Request): boolean;
  /** Whether the client accepts HTML pages. */
  acceptsPage(request: Request): boolean;
}

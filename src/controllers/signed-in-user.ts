import { UnauthenticatedError } from '../errors/caller-errors.js';
import type { Auth, CookieStore, SessionUser } from '../services/auth/auth-types.js';

/**
 * Returns the user of the session.
 * @throws {UnauthenticatedError} there is no session, which includes open mode
 */
export async function signedInUser(auth: Auth, cookies: CookieStore): Promise<SessionUser> {
  const user = await auth.currentUser(cookies);
  if (user === null) throw new UnauthenticatedError();
  return user;
}

import { AmbiguousUserError, UserNotFoundError } from '../../errors/caller-errors.js';

/**
 * Finds the one user behind an email address, compared without regard to case. Several rows of one user (events, repeat
 * instances) are one user.
 *
 * @throws {UserNotFoundError} nobody has the address
 * @throws {AmbiguousUserError} several user ids have it: guessing would give one person another's data
 */
export function userOfEmail<User extends { readonly id: string; readonly email: string }>(
  users: readonly User[],
  email: string,
): User {
  const address = email.toLowerCase();
  const matches = users.filter((user) => user.email.toLowerCase() === address);
  const [user] = matches;
  if (user === undefined) throw new UserNotFoundError();
  if (matches.some(({ id }) => id !== user.id)) throw new AmbiguousUserError();
  return user;
}

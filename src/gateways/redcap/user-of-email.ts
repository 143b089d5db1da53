import { AmbiguousUserError, UserNotFoundError } from '../../domain/errors/caller-errors.js';

/**
 * Finds the one user with an email address, compared case-insensitively. Several rows of one user (events, repeat
 * instances) count as one user.
 *
 * @param idOf returns what tells users apart
 * @throws {UserNotFoundError} no user has the address
 * @throws {AmbiguousUserError} several user ids have it; guessing could give one person another person's data
 */
export function userOfEmail<User extends { readonly email: string }>(
  users: readonly User[],
  email: string,
  idOf: (user: User) => string,
): User {
  const address = email.toLowerCase();
  const matches = users.filter((user) => user.email.toLowerCase() === address);
  const [user] = matches;
  if (user === undefined) throw new UserNotFoundError();
  if (matches.some((match) => idOf(match) !== idOf(user))) throw new AmbiguousUserError();
  return user;
}

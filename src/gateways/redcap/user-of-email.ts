import { ProblemError } from '../../domain/errors/problem-error.js';

/**
 * Finds the one user with an email address, compared case-insensitively. Several rows of one user (events, repeat
 * instances) count as one user.
 *
 * @param idOf returns what tells users apart
 * @throws {ProblemError} `user_not_found`: no user has the address
 * @throws {ProblemError} `ambiguous_user`: several user ids have it; guessing could give one person another person's
 *   data
 */
export function userOfEmail<User extends { readonly email: string }>(
  users: readonly User[],
  email: string,
  idOf: (user: User) => string,
): User {
  const address = email.toLowerCase();
  const matches = users.filter((user) => user.email.toLowerCase() === address);
  const [user] = matches;
  if (user === undefined) throw new ProblemError('user_not_found');
  if (matches.some((match) => idOf(match) !== idOf(user))) throw new ProblemError('ambiguous_user');
  return user;
}

import { InvalidIdentifierError } from '../../errors/caller-errors.js';
import { UserId } from '../../identifiers/user-id.js';

/** What a link carries, checked. */
export interface MagicUrlLogin {
  readonly userId: UserId;
  readonly secret: string;
}

/** Wider than today's 64 hexadecimal digits, so that a change of their encoding is no outage of ours. */
const SECRET_PATTERN = /^[A-Za-z0-9._~-]{1,256}$/;

/**
 * Checks the form of a link's two parts: single texts of bounded length and alphabet.
 *
 * @throws {InvalidIdentifierError} naming the part and its rule; the refused value is not repeated
 * @see docs/protocol/appwrite.md 7.1, 7.2 (source)
 */
export function validateMagicUrlLogin(userId: unknown, secret: unknown): MagicUrlLogin {
  const id = validateUserId(userId);
  if (typeof secret === 'string' && SECRET_PATTERN.test(secret)) return { userId: id, secret };
  throw new InvalidIdentifierError(
    'The secret of a sign-in link',
    'has 1 to 256 letters, digits, dots, underscores, tildes and hyphens',
  );
}

/** @throws {InvalidIdentifierError} not a text, or one that breaks the rule of user ids */
export function validateUserId(userId: unknown): UserId {
  return UserId(typeof userId === 'string' ? userId : '');
}

import { InvalidIdentifierError } from '../../domain/errors/caller-errors.js';
import { UserId } from '../../domain/identifiers/names.js';

/** The validated content of a link. */
export interface MagicUrlLogin {
  readonly userId: UserId;
  readonly secret: string;
}

/** Wider than today's 64 hexadecimal digits, so that a new encoding by Appwrite does not break sign-in. */
const SECRET_PATTERN = /^[A-Za-z0-9._~-]{1,256}$/;

/**
 * Validates the two parts of a link: strings of limited length and alphabet.
 *
 * @throws {InvalidIdentifierError} names the part and its rule, but not the refused value
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

/** Checks the user id of a sign-in link. @throws {InvalidIdentifierError} it is not a string, or breaks the rule for user ids */
export function validateUserId(userId: unknown): UserId {
  return UserId(typeof userId === 'string' ? userId : '');
}

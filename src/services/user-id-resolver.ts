import { UserNotFoundError } from '../errors/caller-errors.js';
import { Email } from '../identifiers/email.js';
import { isUserId } from '../identifiers/user-id.js';
import type { CrfService } from './crf-service.js';

/**
 * Looks up the user id of an address in the study, for a new account.
 *
 * @returns a function that returns the id if the study knows the address and the id is valid for an account, otherwise
 *   undefined. It throws upstream errors; the authentication service then signs the person up anyway and records an
 *   event.
 */
export function userIdResolver(
  crf: Pick<CrfService, 'findUser'>,
): (email: string) => Promise<string | undefined> {
  return async (email) => {
    try {
      const { id } = await crf.findUser(Email(email), { caller: 'sign-in' });
      return isUserId(id) ? id : undefined;
    } catch (error) {
      if (error instanceof UserNotFoundError) return undefined;
      throw error;
    }
  };
}

import { UserNotFoundError } from '../errors/caller-errors.js';
import { Email } from '../identifiers/email.js';
import { isUserId } from '../identifiers/user-id.js';
import type { CrfService } from './crf-service.js';

/**
 * Looks up the user id of an address in the study, for a new account of the sign-in.
 *
 * @returns a function that answers the id when the study knows the address and the id may be one of an account; undefined
 * otherwise. What fails upstream is thrown: the authentication service signs up all the same, and notes it.
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

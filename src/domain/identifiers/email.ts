import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * An email address as used in data capture: one `@`, at most 254 characters, a domain with a dot, and no control
 * characters, quotes or blanks. The domain is lower-cased, the local part unchanged.
 *
 * Sign-in is stricter: see `validateSignupEmail`.
 */
export type Email = Brand<string, 'Email'>;

export const EMAIL_MAX_LENGTH = 254;
/** The form of an email address in data capture, without its length. */
export const EMAIL_PATTERN =
  /^[^\s@"'`\u0000-\u001f\u007f-\u009f]+@[^\s@"'`.\u0000-\u001f\u007f-\u009f]+(\.[^\s@"'`.\u0000-\u001f\u007f-\u009f]+)+$/;

/** Checks whether the value is an address in its normalised form, with the domain in lower case. */
export function isEmail(value: unknown): value is Email {
  return hasEmailForm(value) && value === normalised(value);
}

/**
 * @returns the address with its domain in lower case
 * @throws {InvalidIdentifierError} naming the rule, never the refused value
 */
export function Email(value: string): Email {
  const email = hasEmailForm(value) ? normalised(value) : undefined;
  if (isEmail(email)) return email;
  throw new InvalidIdentifierError('An email address', EMAIL_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const EMAIL_RULE = `must have one @, a domain with a dot, no blank or quote, and at most ${EMAIL_MAX_LENGTH} characters`;

function hasEmailForm(value: unknown): value is string {
  // The length is checked first. The pattern takes linear time, but there is no reason to run it on a megabyte.
  return typeof value === 'string' && value.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(value);
}

function normalised(value: string): string {
  const at = value.lastIndexOf('@');
  return value.slice(0, at) + value.slice(at).toLowerCase();
}

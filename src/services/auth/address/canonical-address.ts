import { InvalidIdentifierError } from '../../../errors/caller-errors.js';
import { Email, EMAIL_MAX_LENGTH } from '../../../identifiers/email.js';
import { asciiDomain } from './ascii-domain.js';

/** The rule as the end of a sentence, for problem details. */
export const ADDRESS_RULE = `is a plain name@domain of at most ${EMAIL_MAX_LENGTH} characters, without quotes, comments or blanks`;

/** Characters that vanish, look like nothing, or are not assigned: what was typed must be what is read. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** What mail software reads as more than a plain address: routes, comments, quotes, percent relays. */
const AMBIGUOUS = /["'`<>()[\],;:\\%!]/;
/** RFC 5322 dot-atom, less the ambiguous characters. */
const LOCAL_PART = /^[a-z0-9#$&*+\-/=?^_{|}~]+(?:\.[a-z0-9#$&*+\-/=?^_{|}~]+)*$/;

/**
 * The one spelling of an address by which this service knows it: folded (NFKC), in lower case, the domain as A-labels.
 * It is what the allow-list judges, what is sent to the identity backend, and what counters are kept under (MAIL-05).
 *
 * `+tag` and dots stay: rewriting them would merge strangers (MAIL-09).
 *
 * @throws {InvalidIdentifierError} naming the rule; the refused value is not repeated
 */
export function canonicalAddress(value: unknown): Email {
  const address = readAddress(value);
  if (address === undefined) throw new InvalidIdentifierError('An email address', ADDRESS_RULE);
  return address;
}

/** @returns the address in its canonical form, or `undefined` when it breaks the rule */
export function readAddress(value: unknown): Email | undefined {
  const address = typeof value === 'string' ? folded(value) : undefined;
  return address === undefined ? undefined : Email(address);
}

/** The part after the `@` of a canonical address. */
export function domainOf(address: Email): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function folded(value: string): string | undefined {
  // The length first: nothing below is worth running over a megabyte. Folding can make a text longer, or shorter.
  if (value.length > EMAIL_MAX_LENGTH) return undefined;
  const text = value.normalize('NFKC');
  if (INVISIBLE.test(text) || AMBIGUOUS.test(text)) return undefined;

  const [local = '', domain = '', ...rest] = text.split('@');
  if (rest.length > 0) return undefined;
  return toAddress(local.toLowerCase(), asciiDomain(domain));
}

function toAddress(local: string, domain: string | undefined): string | undefined {
  if (domain === undefined || local.length > 64 || !LOCAL_PART.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= EMAIL_MAX_LENGTH ? address : undefined;
}

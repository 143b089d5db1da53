import { InvalidIdentifierError } from '../../../domain/errors/caller-errors.js';
import { Email, EMAIL_MAX_LENGTH } from '../../../domain/identifiers/email.js';
import { createRequire } from 'node:module';
import type { toASCII } from 'tr46';

/** The rule as the end of a sentence, for problem details. */
export const ADDRESS_RULE = `must be a plain name@domain of at most ${EMAIL_MAX_LENGTH} characters, without quotes, comments or blanks`;

/** Characters that are invisible, look like a space, or are unassigned. An address must read as it was typed. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** Characters with a special meaning in mail software: routes, comments, quotes, percent relays. */
const AMBIGUOUS = /["'`<>()[\],;:\\%!]/;
/** RFC 5322 dot-atom without the ambiguous characters. */
const LOCAL_PART = /^[a-z0-9#$&*+\-/=?^_{|}~]+(?:\.[a-z0-9#$&*+\-/=?^_{|}~]+)*$/;

/**
 * Returns the only spelling of an address that this service uses: folded (NFKC), in lower case, with the domain as
 * A-labels. The allow-list, the identity backend and the counters all receive this spelling (MAIL-05).
 *
 * `+tag` and dots are kept: removing them would merge different people (MAIL-09).
 *
 * @throws {InvalidIdentifierError} names the rule, but not the refused value
 */
export function canonicalAddress(value: unknown): Email {
  const address = readAddress(value);
  if (address === undefined) throw new InvalidIdentifierError('An email address', ADDRESS_RULE);
  return address;
}

/** @returns the address in its canonical form, or `undefined` if it breaks the rule */
export function readAddress(value: unknown): Email | undefined {
  const address = typeof value === 'string' ? folded(value) : undefined;
  return address === undefined ? undefined : Email(address);
}

/** Returns the part after the `@` of a canonical address. */
export function domainOf(address: Email): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function folded(value: string): string | undefined {
  // The length is checked first, because a megabyte is not worth processing. It is checked again later, because folding
  // can change it.
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

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Loaded on demand: its tables take 60 ms to load, and most names are plain ASCII. */
const load = createRequire(import.meta.url);

/**
 * Converts a domain name with at least two labels to A-labels in lower case. It follows UTS 46 with a library, because
 * Node's `domainToASCII` drops everything after `/`, `?` or `#`, and its rules vary between versions.
 *
 * @returns `undefined` if it is not a domain name, or is an IP address in any notation
 */
function asciiDomain(domain: string): string | undefined {
  const ascii = isPlain(domain) ? domain.toLowerCase() : toAscii(domain);
  const labels = ascii?.split('.') ?? [];
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  // If the last label has no letters, it is part of an IP address.
  return isName && /[a-z]/.test(labels.at(-1) ?? '') ? ascii : undefined;
}

/** Returns whether the name needs no conversion and has no A-label whose Punycode must be checked. */
function isPlain(domain: string): boolean {
  return /^[\u0021-\u007e]*$/.test(domain) && !/(?:^|\.)xn--/i.test(domain);
}

function toAscii(domain: string): string | undefined {
  const uts46 = load('tr46') as { readonly toASCII: typeof toASCII };
  const ascii = uts46.toASCII(domain, {
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: true,
    verifyDNSLength: true,
  });
  return ascii ?? undefined;
}

/** @returns enough of an address for its owner to recognise it: `a•••@example.org` */
export function maskedAddress(address: Email): string {
  const local = address.slice(0, address.lastIndexOf('@'));
  // With one or two characters, nothing would be left to hide.
  return `${local.length > 2 ? (local[0] ?? '') : ''}•••@${domainOf(address)}`;
}

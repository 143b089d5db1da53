import { domainOf } from './canonical-address.js';
import type { Email } from '../../../domain/identifiers/email.js';

/** A provider known to deliver several spellings of a name to one mailbox. */
interface Provider {
  /** Domains with the same mailboxes. The first one represents all of them. */
  readonly domains: readonly [string, ...string[]];
  /** Characters of the name that the provider ignores. */
  readonly ignored: RegExp;
}

const PROVIDERS: readonly Provider[] = [
  // support.google.com/mail/answer/7436150: dots are ignored in personal accounts, but not in work or school accounts.
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // proton.me/support/addresses-and-aliases: dots, hyphens and underscores are ignored; a name is the same on all
  // domains.
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];

/**
 * Returns the mailbox of an address as far as it is known. Mails are counted by mailbox, so that all spellings used by
 * one person share a quota (MAIL-09). A `+tag` is removed for every domain. Dots, other separators and alternative
 * domains are merged only for providers known to do so, because elsewhere they distinguish different people.
 *
 * Only for counting. Mails are sent to the address as typed.
 */
export function quotaAddress(address: Email): string {
  const domain = domainOf(address);
  const [name = ''] = address.slice(0, -domain.length - 1).split('+');
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  if (provider === undefined) return `${name}@${domain}`;
  return `${name.replace(provider.ignored, '')}@${provider.domains[0]}`;
}

import { domainOf } from './canonical-address.js';
import type { Email } from '../../../identifiers/email.js';

/** Providers that are known to deliver several spellings of a name to one mailbox. */
interface Provider {
  /** Domains that lead to the same mailboxes; the first stands for all. */
  readonly domains: readonly [string, ...string[]];
  /** Characters of the name that the provider ignores. */
  readonly ignored: RegExp;
}

const PROVIDERS: readonly Provider[] = [
  // support.google.com/mail/answer/7436150: dots do not matter in personal accounts, and they do at work or school.
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // proton.me/support/addresses-and-aliases: dots, hyphens and underscores do not matter, one name on all its domains.
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];

/**
 * The mailbox that an address leads to, as far as it is known: under it mails are counted, so that one person's spellings
 * share one quota (MAIL-09). A `+tag` is folded for every domain; dots, other separators and second domains are folded
 * for providers of whom it is known, because elsewhere they tell strangers apart.
 *
 * It is for counting alone: what was typed is what is written to.
 */
export function quotaAddress(address: Email): string {
  const domain = domainOf(address);
  const [name = ''] = address.slice(0, -domain.length - 1).split('+');
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  if (provider === undefined) return `${name}@${domain}`;
  return `${name.replace(provider.ignored, '')}@${provider.domains[0]}`;
}

import { randomInt } from 'node:crypto';
import { IdentityError } from './identity-error.js';
import { timestamp } from './identity-answers.js';

/**
 * Returns the link for a mail: the target with four parameters, in this order, after its own. The fragment is kept.
 *
 * @see docs/protocol/appwrite.md 5.2 (source)
 */
export function magicUrl(
  target: string,
  link: {
    readonly userId: string;
    readonly secret: string;
    readonly expiresAt: Date;
    readonly projectId: string;
  },
): string {
  const url = new URL(target);
  url.searchParams.set('userId', link.userId);
  url.searchParams.set('secret', link.secret);
  url.searchParams.set('expire', timestamp(link.expiresAt));
  url.searchParams.set('project', link.projectId);
  return url.toString();
}

/**
 * Checks the host of a link. `127.0.0.1` and `[::1]` count as localhost.
 *
 * @throws {IdentityError} the host is not one of the project's
 * @see docs/protocol/appwrite.md 5.4 (source)
 */
export function checkRedirect(target: string, allowedHosts: readonly string[]): void {
  const host = hostOf(target);
  const names = host === '127.0.0.1' || host === '[::1]' ? [host, 'localhost'] : [host];
  const isAllowed = allowedHosts.some((allowed) =>
    names.some((name) => matches(name, allowed.toLowerCase())),
  );
  if (!isAllowed) {
    throw new IdentityError(
      'general_argument_invalid',
      'Invalid `url` param: Invalid URI. Register your new client as a new platform on your project console dashboard',
    );
  }
}

function hostOf(target: string): string {
  if (!URL.canParse(target)) return '';
  const { protocol, hostname } = new URL(target);
  return protocol === 'http:' || protocol === 'https:' ? hostname : '';
}

/** Matches a host: `*.example.com` allows subdomains but not `example.com` itself, `*` allows every host. */
function matches(name: string, allowed: string): boolean {
  if (name === '') return false;
  if (allowed === '*') return true;
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed;
}

const ADJECTIVES = 'Amber Brave Calm Distant Early Gentle Hidden Lively Quiet Tall'.split(' ');
const NOUNS = 'bridge cedar harbour island lantern meadow orchard river sparrow tower'.split(' ');

/**
 * Returns an adjective and a noun, which Appwrite includes in mail and response.
 *
 * @see docs/protocol/appwrite.md 5.2 (source)
 */
export function securityPhrase(): string {
  const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';
  return `${pick(ADJECTIVES)} ${pick(NOUNS)}`;
}

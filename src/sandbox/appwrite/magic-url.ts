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

/** The hosts that a new project of Appwrite allows. @see docs/protocol/appwrite.md 5.4 (source) */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** @throws {IdentityError} the link does not lead to this machine */
export function checkRedirect(target: string): void {
  const { protocol, hostname } = URL.canParse(target) ? new URL(target) : { protocol: '', hostname: '' };
  if (/^https?:$/.test(protocol) && LOCAL_HOSTS.includes(hostname)) return;
  throw new IdentityError(
    'general_argument_invalid',
    'Invalid `url` param: Invalid URI. Register your new client as a new platform on your project console dashboard',
  );
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

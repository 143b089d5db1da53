import { isLoopbackHost } from '../identifiers/api-url.js';
import type { Environment } from './secret-files.js';

/** @returns what is valid, and hardly what was meant: a sentence each, without any value */
export function likelyMistakes({
  LOGIN_URL: loginUrl,
  ALLOWED_DOMAINS_REGEXP: domains,
  REDIS_URL: redisUrl,
}: Environment): string[] {
  return [
    ...(loginUrl !== undefined && !leadsToLogin(loginUrl)
      ? [
          'LOGIN_URL does not end in /login, where this service answers: the links in the mails lead elsewhere.',
        ]
      : []),
    ...(domains !== undefined && hasBareDot(domains)
      ? [
          'ALLOWED_DOMAINS_REGEXP has a dot that stands for any character, and so admits other domains as well: write \\. for a dot.',
        ]
      : []),
    ...(redisUrl !== undefined && isInClear(redisUrl)
      ? [
          'REDIS_URL begins with redis: and leads to another machine: the password goes over the network in clear. Write rediss: where Redis has TLS.',
        ]
      : []),
  ];
}

function isInClear(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'redis:' && !isLoopbackHost(new URL(url).hostname);
}

/** Whether the path is that of the sign-in, behind whatever prefix a proxy takes away. */
function leadsToLogin(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith('/login');
}

/**
 * Whether a pattern has a dot that is neither escaped nor in a class. One with a quantifier behind it is meant to be any
 * character: `.*`.
 */
function hasBareDot(pattern: string): boolean {
  const withoutEscapesAndClasses = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  return /\.(?![*+?{])/.test(withoutEscapesAndClasses);
}

import { isLoopbackHost } from '../../domain/identifiers/api-url.js';
import type { Environment } from './secret-files.js';

/** Returns warnings about valid settings that are probably mistakes, one sentence each, without values. */
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

/** Whether the path ends with that of the sign-in. A proxy may add a prefix. */
function leadsToLogin(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith('/login');
}

/**
 * Whether a pattern has a dot that is neither escaped nor in a class. A dot with a quantifier, such as `.*`, is assumed
 * to mean any character.
 */
function hasBareDot(pattern: string): boolean {
  const withoutEscapesAndClasses = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  return /\.(?![*+?{])/.test(withoutEscapesAndClasses);
}

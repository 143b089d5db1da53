import * as z from 'zod';
import {
  APPWRITE_API_KEY_PATTERN,
  APPWRITE_API_KEY_RULE,
  APPWRITE_PROJECT_ID_PATTERN,
  APPWRITE_PROJECT_ID_RULE,
} from '../../domain/identifiers/setting-forms.js';
import { isAccepted } from '../../domain/identifiers/check-options.js';
import { setting } from './setting.js';
import { flag, integer, oneOf, text, toSecret } from './value-types.js';

/** The default domain of addresses that may sign in on the sandbox. No email can reach it. */
const SANDBOX_DOMAINS_REGEXP = 'example\\.org';
const isRegularExpression = isAccepted((source: string) => new RegExp(source));

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash, search } = new URL(text);
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' && hash === '' && search === '';
}

const REDIS_URL_RULE = 'must be a redis: or rediss: address with a host';

/** The identity backend, sign-in links and sessions. */
export const SIGN_IN = {
  APPWRITE_ENDPOINT: setting('appwrite.endpoint', text, {
    text: 'Appwrite endpoint, ending in `/v1`. Requires `APPWRITE_PROJECT_ID`, `APPWRITE_API_KEY`, `LOGIN_URL` and `ALLOWED_DOMAINS_REGEXP`.',
    unset: 'sandbox, or no sign-in',
    example: 'https://cloud.appwrite.io/v1',
  }),
  APPWRITE_PROJECT_ID: setting(
    'appwrite.projectId',
    z.string().regex(APPWRITE_PROJECT_ID_PATTERN, APPWRITE_PROJECT_ID_RULE).optional(),
    { text: 'Appwrite project id.', unset: '', example: 'my-project' },
  ),
  APPWRITE_API_KEY: setting(
    'appwrite.apiKey',
    z.string().regex(APPWRITE_API_KEY_PATTERN, APPWRITE_API_KEY_RULE).transform(toSecret).optional(),
    {
      text: 'Appwrite API key with the scopes `sessions.write`, `users.read` and `users.write`.',
      unset: '',
      example: 'standard_0123456789abcdef',
      isSecret: true,
    },
  ),
  LOGIN_URL: setting('auth.loginUrl', text, {
    text: 'Public URL of `/login`, used in sign-in links. Must be https, except on loopback in development.',
    unset: '',
    example: 'https://crf.example.org/login',
  }),
  ALLOWED_DOMAINS_REGEXP: setting(
    'auth.domainValidation.allowedDomainsRegexp',
    z.string().refine(isRegularExpression, 'must be a regular expression').optional(),
    {
      text: 'Email domains that may sign in: a regular expression that must match the whole domain (no look-around, no backreferences), or `any`.',
      unset: '`example\\.org` on the sandbox only',
      toOption: (domains) => domains ?? SANDBOX_DOMAINS_REGEXP,
      example: 'example\\.org|.*\\.example\\.org',
    },
  ),
  SHOW_ALLOWED_DOMAINS: setting('auth.showAllowedDomains', flag('false'), {
    text: 'Name the allowed domains to people whose address is of another one. Requires that `ALLOWED_DOMAINS_REGEXP` only lists domains: `a\\.org|b\\.org`.',
    example: 'true',
  }),
  SIGNED_LINKS_ONLY: setting('auth.signedLinksOnly', flag('true'), {
    text: 'Accept only sign-in links signed by this service (`st`). `false` also accepts links requested elsewhere.',
    example: 'false',
  }),
  LOGIN_CONFIRM: setting('auth.loginConfirm', oneOf('never', 'unbound', 'always').default('never'), {
    text: 'When a sign-in link shows a confirmation button first: `never`, `unbound` (in browsers that did not request the link) or `always`.',
    example: 'unbound',
  }),
  SESSION_MAX_AGE_SECONDS: setting('auth.sessionMaxAgeSeconds', integer(60, 31_536_000).default(43_200), {
    text: 'Maximum lifetime of a session.',
  }),
  SESSION_IDLE_SECONDS: setting('auth.sessionIdleSeconds', integer(300, 31_536_000).default(1800), {
    text: 'Idle timeout of a session; at least 300.',
  }),
};

/** The store that several processes share. */
export const SHARED_STATE = {
  REDIS_URL: setting(
    'redis.url',
    z.string().refine(isRedisUrl, { error: REDIS_URL_RULE, abort: true }).transform(toSecret).optional(),
    {
      text: 'Redis or Valkey (6.2 or later) through which replicas share their state: `redis://` or, with TLS, `rediss://`, with user and password if it has them. When unset, every process has its own limits, keys and used links.',
      unset: 'none: one process',
      example: 'rediss://crf:password@redis.example.org:6379/0',
      isSecret: true,
    },
  ),
  REDIS_KEY_PREFIX: setting(
    'redis.keyPrefix',
    z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, 'must have 1 to 64 printable characters without blanks')
      .default('crf:'),
    { text: 'Prefix of every key in Redis; the rights of an ACL user can be limited to it.' },
  ),
  REDIS_TIMEOUT_MS: setting('redis.timeoutMs', integer(50, 60_000).default(1000), {
    text: 'How long a command of Redis may take. After that Redis counts as away until it answers again.',
  }),
};

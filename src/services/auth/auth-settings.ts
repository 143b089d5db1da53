import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { AppwriteOptions } from '../../gateways/appwrite/appwrite-connection.js';
import { isLoopbackHost, LOGIN_URL_RULE, toLoginUrl } from '../../domain/identifiers/api-url.js';
import type { DomainValidation } from './address/domain-rule.js';
import type { AuthEvent } from './auth-event.js';
import type { LoginConfirm } from './auth-types.js';
import type { KeyValueStoreFactory } from './key-value-store.js';

/** Configuration of an authentication service. The first three settings are required. */
export interface AuthServiceConfig {
  readonly appwrite: AppwriteOptions;
  /**
   * The target of the links in mails: `https:`, or `http:` on a loopback host. Its host must be a platform of the
   * Appwrite project.
   */
  readonly loginUrl: string;
  readonly domainValidation: DomainValidation;
  /**
   * Returns the user id for a new account if the study knows the address. A signup is never blocked: after an error, an
   * invalid id, or two seconds without an answer, a random id is used.
   */
  readonly resolveUserId?: ((email: string) => Promise<string | undefined>) | undefined;
  /**
   * Called for every deleted account, to send the person a notice. Appwrite sends such mails only if a messaging
   * provider is configured, and forgets the address together with the account. The call is not awaited. An error is
   * reported as an event.
   */
  readonly onAccountDeleted?: ((account: DeletedAccount) => Promise<void>) | undefined;
  /**
   * Whether the person has to press a button before a link opens a session: `never` (default), `unbound` or `always`
   * (D2).
   */
  readonly loginConfirm?: LoginConfirm | undefined;
  /**
   * Whether the error for an address of another domain names those that are allowed; `false` by default. Requires an
   * `allowedDomainsRegexp` that only lists domains, such as `a\\.org|b\\.org`.
   */
  readonly showAllowedDomains?: boolean | undefined;
  /**
   * Refuses links without the signed state (`st`) that signup adds to them. `false` by default, because `login` can be
   * called without it. A link whose state was removed is then judged by what this process remembers about it or, after
   * a restart, only by Appwrite's limit of one hour. Set it if `st` is always passed to `login`, as the server does.
   */
  readonly signedLinksOnly?: boolean | undefined;
  /**
   * Whether cookies are sent over https only; by default, whether `loginUrl` is https. `false` is allowed only on
   * loopback hosts.
   */
  readonly secureCookies?: boolean | undefined;
  /**
   * Name of the session cookie without prefix; `crf_session` by default. A secure cookie is named `__Host-crf_session`.
   */
  readonly cookieName?: string | undefined;
  /** Lifetime of a link; 600 by default, at most 3,600, which is Appwrite's own limit. */
  readonly linkMaxAgeSeconds?: number | undefined;
  /** Maximum lifetime of a session; 43,200 (12 hours) by default. */
  readonly sessionMaxAgeSeconds?: number | undefined;
  /** Idle timeout of a session, in seconds; 1,800 (30 minutes) by default, at least 300. */
  readonly sessionIdleSeconds?: number | undefined;
  /** Maximum age of the sign-in with which an account can be deleted; 600 by default. */
  readonly recentSignInSeconds?: number | undefined;
  /** How long a successful session check is cached; 30 by default, at most 60, 0 for no caching (SESS-07). */
  readonly sessionCheckSeconds?: number | undefined;
  /**
   * Minimum duration of a signup; 500 by default (AUTH-03). If Appwrite needs longer for an address, signups of all
   * addresses take a multiple of it for ten minutes. 0 lets the duration reveal whether an address is known.
   */
  readonly signupFloorMs?: number | undefined;
  /** Creates the stores for used links, ended sessions and other state; in the memory of this process by default. */
  readonly stores?: KeyValueStoreFactory | undefined;
  /** Returns the current time; for tests. */
  readonly clock?: (() => Date) | undefined;
  /** Resolves after the given number of milliseconds; for tests. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /**
   * The key of the pseudonyms of persons and records in logs, at least 32 bytes; derived from the API key by default. With
   * a key of its own, pseudonyms stay the same when the API key is replaced.
   */
  readonly pseudonymKey?: Buffer | undefined;
  /** Called for every event, for an audit log. Events contain no address and no secret. */
  readonly onEvent?: ((event: AuthEvent) => void) | undefined;
}

/** A deleted account. The address is for the notice, and is not kept anywhere else. */
export interface DeletedAccount {
  readonly userId: string;
  readonly email: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

/** The validated settings, including defaults. */
export interface AuthSettings {
  readonly loginUrl: URL;
  readonly resolveUserId: ((email: string) => Promise<string | undefined>) | undefined;
  readonly onAccountDeleted: ((account: DeletedAccount) => Promise<void>) | undefined;
  readonly loginConfirm: LoginConfirm;
  readonly showAllowedDomains: boolean;
  readonly signedLinksOnly: boolean;
  readonly isSecure: boolean;
  readonly sessionCookieName: string;
  readonly bindingCookieName: string;
  readonly linkMaxAgeSeconds: number;
  readonly sessionMaxAgeSeconds: number;
  readonly sessionIdleSeconds: number;
  readonly recentSignInSeconds: number;
  readonly sessionCheckSeconds: number;
  readonly signupFloorMs: number;
  readonly clock: () => Date;
  readonly wait: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** Default, minimum and maximum of each number. */
const NUMBERS = {
  linkMaxAgeSeconds: [600, 30, 3_600],
  sessionMaxAgeSeconds: [43_200, 60, 31_536_000],
  sessionIdleSeconds: [1_800, 300, 31_536_000],
  recentSignInSeconds: [600, 30, 86_400],
  sessionCheckSeconds: [30, 0, 60],
  signupFloorMs: [500, 0, 60_000],
} as const;

const CONFIRM: readonly unknown[] = ['never', 'unbound', 'always'] satisfies LoginConfirm[];
/** @throws {ConfigurationError} names every invalid setting, but never its value */
export function authSettings(config: AuthServiceConfig): AuthSettings {
  const loginUrl = toLoginUrl(config.loginUrl);
  const isSecure = config.secureCookies ?? loginUrl?.protocol === 'https:';
  const name = config.cookieName ?? 'crf_session';
  const numbers = readNumbers(config);
  const problems = [
    ...(loginUrl === undefined ? [{ field: 'loginUrl', message: LOGIN_URL_RULE }] : []),
    ...(loginUrl !== undefined && !isSecure && !isLoopbackHost(loginUrl.hostname)
      ? [
          {
            field: 'secureCookies',
            message: 'must be true unless loginUrl (LOGIN_URL) is on a loopback host',
          },
        ]
      : []),
    ...(typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)
      ? []
      : [{ field: 'cookieName', message: 'must have 1 to 64 letters, digits, underscores and hyphens' }]),
    ...(CONFIRM.includes(config.loginConfirm ?? 'never')
      ? []
      : [{ field: 'loginConfirm', message: 'must be never, unbound or always' }]),
    ...numbers.problems,
  ];
  if (problems.length > 0 || loginUrl === undefined) throw new ConfigurationError(problems);

  const prefix = isSecure ? '__Host-' : '';
  return {
    ...numbers.values,
    loginUrl,
    isSecure,
    resolveUserId: config.resolveUserId,
    onAccountDeleted: config.onAccountDeleted,
    loginConfirm: config.loginConfirm ?? 'never',
    showAllowedDomains: config.showAllowedDomains ?? false,
    signedLinksOnly: config.signedLinksOnly ?? false,
    sessionCookieName: prefix + name,
    bindingCookieName: `${prefix}${name}_link`,
    clock: config.clock ?? (() => new Date()),
    wait: config.wait,
  };
}

function readNumbers(config: AuthServiceConfig): {
  values: Record<keyof typeof NUMBERS, number>;
  problems: FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const read = (field: keyof typeof NUMBERS): number => {
    const [initial, least, most] = NUMBERS[field];
    const value = config[field] ?? initial;
    if (!Number.isInteger(value) || value < least || value > most) {
      problems.push({ field, message: `must be a whole number from ${least} to ${most}` });
    }
    return value;
  };
  return {
    values: {
      linkMaxAgeSeconds: read('linkMaxAgeSeconds'),
      sessionMaxAgeSeconds: read('sessionMaxAgeSeconds'),
      sessionIdleSeconds: read('sessionIdleSeconds'),
      recentSignInSeconds: read('recentSignInSeconds'),
      sessionCheckSeconds: read('sessionCheckSeconds'),
      signupFloorMs: read('signupFloorMs'),
    },
    problems,
  };
}

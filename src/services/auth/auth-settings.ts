import * as z from 'zod';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { isLoopbackHost, LOGIN_URL_RULE, toLoginUrl } from '../../domain/identifiers/api-url.js';
import {
  aBoolean,
  aFunction,
  aGroup,
  anyValue,
  attempt,
  isObject,
  optional,
  problemsOf,
  required,
  strictObject,
  type OptionRules,
} from '../../domain/identifiers/check-options.js';
import type { AppwriteOptions } from '../../gateways/appwrite/appwrite-connection.js';
import { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import { compileDomainRule, type DomainRule, type DomainValidation } from './address/domain-rule.js';
import type { AuthEvent } from './auth-event.js';
import type { LoginConfirm } from './auth-types.js';
import type { KeyValueStoreFactory } from './key-value-store.js';

/** Configuration of an authentication service. The first three settings are required. */
export interface AuthServiceConfig {
  /** The Appwrite project that has the accounts. */
  readonly appwrite: AppwriteOptions;
  /**
   * The target of the links in mails: `https:`, or `http:` on a loopback host. Its host must be a platform of the
   * Appwrite project.
   */
  readonly loginUrl: string;
  /** Which addresses may sign in. */
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

/** A whole number with its default, its minimum and its maximum. */
function wholeNumber(initial: number, least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.int(rule).min(least, rule).max(most, rule).default(initial);
}

const NUMBERS = {
  linkMaxAgeSeconds: wholeNumber(600, 30, 3_600),
  sessionMaxAgeSeconds: wholeNumber(43_200, 60, 31_536_000),
  sessionIdleSeconds: wholeNumber(1_800, 300, 31_536_000),
  recentSignInSeconds: wholeNumber(600, 30, 86_400),
  sessionCheckSeconds: wholeNumber(30, 0, 60),
  signupFloorMs: wholeNumber(500, 0, 60_000),
};

const COOKIE_NAME_RULE = 'must have 1 to 64 letters, digits, underscores and hyphens';

/** Groups that have a check of their own are checked for the names of their options only. */
const Options = strictObject(
  {
    appwrite: aGroup({
      endpoint: anyValue,
      projectId: anyValue,
      apiKey: anyValue,
      timeoutMs: anyValue,
    } satisfies OptionRules<keyof AppwriteOptions>),
    loginUrl: required((value) => toLoginUrl(value) !== undefined, LOGIN_URL_RULE),
    domainValidation: aGroup({ allowedDomainsRegexp: anyValue } satisfies OptionRules<
      keyof DomainValidation
    >),
    resolveUserId: aFunction,
    onAccountDeleted: aFunction,
    loginConfirm: z.enum(['never', 'unbound', 'always'], 'must be never, unbound or always').default('never'),
    showAllowedDomains: aBoolean.default(false),
    signedLinksOnly: aBoolean.default(false),
    secureCookies: aBoolean,
    cookieName: z
      .string(COOKIE_NAME_RULE)
      .regex(/^[A-Za-z0-9_-]{1,64}$/, COOKIE_NAME_RULE)
      .default('crf_session'),
    ...NUMBERS,
    stores: aFunction,
    pseudonymKey: optional(
      (value) => Buffer.isBuffer(value) && value.length >= 32,
      'must be a Buffer of at least 32 bytes',
    ),
    clock: aFunction,
    wait: aFunction,
    onEvent: aFunction,
  } satisfies OptionRules<keyof AuthServiceConfig>,
  'an option',
);

type WithDefault = 'loginConfirm' | 'showAllowedDomains' | 'signedLinksOnly' | 'clock' | keyof typeof NUMBERS;

/** The validated settings, including defaults. */
export type AuthSettings = Pick<AuthServiceConfig, 'resolveUserId' | 'onAccountDeleted' | 'wait'> & {
  readonly [Name in WithDefault]: NonNullable<AuthServiceConfig[Name]>;
} & {
  readonly loginUrl: URL;
  readonly isSecure: boolean;
  readonly sessionCookieName: string;
  readonly bindingCookieName: string;
};

/** @throws {ConfigurationError} names every invalid setting, but never its value */
export function authSettings(config: AuthServiceConfig): AuthSettings {
  const { data, error } = Options.safeParse(config);
  const problems = problemsOf('options', error?.issues ?? []);
  const loginUrl = toLoginUrl(config.loginUrl);
  const isSecure = config.secureCookies ?? loginUrl?.protocol === 'https:';
  if (loginUrl !== undefined && !isSecure && !isLoopbackHost(loginUrl.hostname))
    problems.push({
      field: 'secureCookies',
      message: 'must be true unless loginUrl (LOGIN_URL) is on a loopback host',
    });
  if (problems.length > 0 || data === undefined || loginUrl === undefined)
    throw new ConfigurationError(problems);

  const { appwrite: _appwrite, domainValidation: _domains, cookieName, ...own } = data;
  const { resolveUserId, onAccountDeleted, clock = () => new Date(), wait } = config;
  const name = `${isSecure ? '__Host-' : ''}${cookieName}`;
  return {
    ...own,
    ...{ loginUrl, isSecure, resolveUserId, onAccountDeleted, clock, wait },
    sessionCookieName: name,
    bindingCookieName: `${name}_link`,
  };
}

/** The validated configuration of the authentication service. */
export interface CheckedAuthConfig {
  readonly identity: AppwriteGateway;
  readonly settings: AuthSettings;
  readonly domains: DomainRule;
}

/**
 * Validates all groups of the configuration, so that all errors are reported together.
 *
 * @throws {ConfigurationError} names every invalid setting, but never its value
 */
export function checkAuthConfig(config: AuthServiceConfig): CheckedAuthConfig {
  const problems = isObject(config) ? [] : [{ field: 'options', message: 'must be an object' }];
  // An untyped caller may omit the whole configuration or a group. Each of its settings is then reported as missing,
  // instead of a TypeError (MAIL-07).
  const given: Partial<AuthServiceConfig> = isObject(config) ? config : {};
  const validation: Partial<DomainValidation> = isObject(given.domainValidation)
    ? given.domainValidation
    : {};

  const identity = attempt(() => new AppwriteGateway({ ...given.appwrite } as AppwriteOptions), problems);
  const settings = attempt(() => authSettings(given as AuthServiceConfig), problems);
  const domains = attempt(() => compileDomainRule(validation.allowedDomainsRegexp), problems);
  if (settings?.showAllowedDomains === true && domains?.domains.length === 0)
    problems.push({
      field: 'showAllowedDomains',
      message:
        'requires that allowedDomainsRegexp (ALLOWED_DOMAINS_REGEXP) only lists domains, as in a\\.org|b\\.org',
    });
  if (problems.length > 0 || !identity || !settings || !domains) throw new ConfigurationError(problems);
  return { identity, settings, domains };
}

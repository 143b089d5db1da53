import { ConfigurationError } from '../../errors/operator-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import type { AppwriteOptions } from '../../gateways/appwrite/appwrite-connection.js';
import { isLoopbackHost } from '../../identifiers/api-url.js';
import type { DomainValidation } from './address/domain-rule.js';
import type { AuthEvent } from './auth-event.js';
import type { LoginConfirm } from './auth-types.js';
import type { KeyValueStoreFactory } from './key-value-store.js';

/** What an authentication service is made of. The first three are needed; the rest has defaults. */
export interface AuthServiceConfig {
  readonly appwrite: AppwriteOptions;
  /** Where the links in the mails lead: `https:`, or `http:` on a loopback host. Its host must be a platform of the Appwrite project. */
  readonly loginUrl: string;
  readonly domainValidation: DomainValidation;
  /**
   * The user id for a new account, when the study knows the address. A failure, an answer that is no user id, or
   * silence for two seconds never blocks a signup: a random id is used then.
   */
  readonly resolveUserId?: ((email: string) => Promise<string | undefined>) | undefined;
  /**
   * Called with every account that was deleted, to mail the person a notice: Appwrite sends such mails only where a messaging
   * provider is set up, and forgets the address with the account. It is not waited for; a failure is an event.
   */
  readonly onAccountDeleted?: ((account: DeletedAccount) => Promise<void>) | undefined;
  /** Whether a button comes between the link and the session: `never` (default), `unbound` or `always` (D2). */
  readonly loginConfirm?: LoginConfirm | undefined;
  /**
   * Refuse links without the signed state that signup puts into them (`st`). `false` by default, because `login` can be
   * called without it: a link whose state was removed is then judged by what this process remembers of it and, after a
   * restart, by Appwrite's hour alone. Set it wherever `st` is passed on to `login`; the server does.
   */
  readonly signedLinksOnly?: boolean | undefined;
  /** Whether cookies are for https only; by default whether `loginUrl` is. `false` is for loopback alone. */
  readonly secureCookies?: boolean | undefined;
  /** Without prefix; `crf_session` by default. A secure cookie is called `__Host-crf_session`. */
  readonly cookieName?: string | undefined;
  /** How long a link is valid; 600 by default, at most 3,600, Appwrite's own limit. */
  readonly linkMaxAgeSeconds?: number | undefined;
  /** How long a session lasts at most; 43,200 (12 hours) by default. */
  readonly sessionMaxAgeSeconds?: number | undefined;
  /** Idle timeout of a session, in seconds; 1,800 (30 minutes) by default, at least 300. */
  readonly sessionIdleSeconds?: number | undefined;
  /** How old a sign-in may be that deletes an account; 600 by default. */
  readonly recentSignInSeconds?: number | undefined;
  /** How long a successful session check is believed; 30 by default, at most 60, 0 for never (SESS-07). */
  readonly sessionCheckSeconds?: number | undefined;
  /** No signup answers sooner; 500 by default (AUTH-03). It must exceed what Appwrite needs, or the time reveals whether an address is known. */
  readonly signupFloorMs?: number | undefined;
  /** Where used links, ended sessions and what else is remembered stand; in this process's memory by default. */
  readonly stores?: KeyValueStoreFactory | undefined;
  /** The present time, for tests. */
  readonly clock?: (() => Date) | undefined;
  /** Resolves after so many milliseconds, for tests. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Called with every event, for an audit log. Events contain neither address nor secret. */
  readonly onEvent?: ((event: AuthEvent) => void) | undefined;
}

/** An account that is gone; the address is for the notice, and is kept nowhere else. */
export interface DeletedAccount {
  readonly userId: string;
  readonly email: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

/** The same, checked, with every default in its place. */
export interface AuthSettings {
  readonly loginUrl: URL;
  readonly resolveUserId: ((email: string) => Promise<string | undefined>) | undefined;
  readonly onAccountDeleted: ((account: DeletedAccount) => Promise<void>) | undefined;
  readonly loginConfirm: LoginConfirm;
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

/** Each number with its default and its bounds. */
const NUMBERS = {
  linkMaxAgeSeconds: [600, 30, 3_600],
  sessionMaxAgeSeconds: [43_200, 60, 31_536_000],
  sessionIdleSeconds: [1_800, 300, 31_536_000],
  recentSignInSeconds: [600, 30, 86_400],
  sessionCheckSeconds: [30, 0, 60],
  signupFloorMs: [500, 0, 60_000],
} as const;

const CONFIRM: readonly unknown[] = ['never', 'unbound', 'always'] satisfies LoginConfirm[];
/** The loopback host names and https alone: a link over plain http would send the secret in clear. */
const LOGIN_URL_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials and fragment';

/** @throws {ConfigurationError} naming every setting that is wrong, never its value */
export function authSettings(config: AuthServiceConfig): AuthSettings {
  const loginUrl = readLoginUrl(config.loginUrl);
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
    ...(/^[A-Za-z0-9_-]{1,64}$/.test(name)
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
    signedLinksOnly: config.signedLinksOnly ?? false,
    sessionCookieName: prefix + name,
    bindingCookieName: `${prefix}${name}_link`,
    clock: config.clock ?? (() => new Date()),
    wait: config.wait,
  };
}

function readLoginUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || /[\s\u0000-\u001f\u007f-\u009f\\#]/.test(value) || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return undefined;
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isAllowed ? url : undefined;
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

import { InsufficientScopeError, UnauthenticatedError } from '../../errors/caller-errors.js';
import type { Auth, CookieStore, SessionUser } from '../auth/auth-types.js';
import { findApiKey, type ApiKey } from './api-key.js';
import type { Scope } from '../../identifiers/scope.js';
import { OPEN_PROJECT_SCOPES } from './open-project-scopes.js';

/** The sender of a request, and what they may do. */
export interface Caller {
  readonly kind: 'api-key' | 'session' | 'anonymous';
  /** Identifies the caller in the log and in the queue. Contains no address. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The person, if a session was presented. */
  readonly user?: SessionUser;
}

export interface AccessOptions {
  /** No keys by default. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Open mode: callers without credentials have `openScopes`. `false` by default. */
  readonly allowAnonymous?: boolean | undefined;
  /** The scopes of all callers in open mode; `OPEN_PROJECT_SCOPES` by default. */
  readonly openScopes?: readonly Scope[] | undefined;
  /**
   * The scopes of a signed-in person; `project:read` by default, because signing up must not give access to the data of
   * the study.
   */
  readonly sessionScopes?: readonly Scope[] | undefined;
  /** Identifies sessions. Without it there are no sessions. */
  readonly auth?: Pick<Auth, 'currentUser'> | undefined;
  readonly clock?: (() => Date) | undefined;
}

/** The credentials of a request. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  readonly cookies: CookieStore;
}

/** Identifies callers and checks their scopes. Denies by default (GW-01). */
export class AccessControl {
  readonly #apiKeys: readonly ApiKey[];
  readonly #sessionScopes: readonly Scope[];
  readonly #anonymous: Caller;
  readonly #auth: Pick<Auth, 'currentUser'> | undefined;
  readonly #clock: () => Date;
  readonly isOpen: boolean;

  constructor(options: AccessOptions = {}) {
    this.#apiKeys = options.apiKeys ?? [];
    this.#sessionScopes = options.sessionScopes ?? ['project:read'];
    this.#anonymous = {
      kind: 'anonymous',
      name: 'anonymous',
      scopes: options.openScopes ?? OPEN_PROJECT_SCOPES,
    };
    this.#auth = options.auth;
    this.#clock = options.clock ?? (() => new Date());
    this.isOpen = options.allowAnonymous ?? false;
  }

  /**
   * @throws {UnauthenticatedError} no credential, or one that is unknown, malformed or expired
   * @throws {IdentityUnavailableError} a session was presented and cannot be checked (SESS-06)
   */
  async identify({ authorization, cookies }: Credentials): Promise<Caller> {
    // A key must be valid even in open mode. Otherwise its owner would not notice that it is not.
    if (authorization !== undefined) return this.#byApiKey(authorization);
    if (this.isOpen) return this.#anonymous;

    const user = await this.#auth?.currentUser(cookies);
    if (user) return { kind: 'session', name: `session:${user.id}`, scopes: this.#sessionScopes, user };
    throw new UnauthenticatedError();
  }

  /** The scopes of a signed-in person. In open mode they are the same as for all callers. */
  get scopesOfSessions(): readonly Scope[] {
    return this.isOpen ? this.#anonymous.scopes : this.#sessionScopes;
  }

  /** @throws {InsufficientScopeError} the caller lacks one of the scopes */
  authorize(caller: Caller, scopes: readonly string[]): void {
    const held: readonly string[] = caller.scopes;
    const missing = scopes.filter((scope) => !held.includes(scope));
    if (missing.length > 0)
      throw new InsufficientScopeError(missing, { isOpen: caller.kind === 'anonymous' });
  }

  #byApiKey(authorization: string): Caller {
    const [, presented = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const key = findApiKey(this.#apiKeys, presented, this.#clock());
    if (key !== undefined) return { kind: 'api-key', name: nameOf(key), scopes: key.scopes };
    const expired = findApiKey(this.#apiKeys, presented);
    throw new UnauthenticatedError({}, 'api-key', expired && nameOf(expired));
  }
}

function nameOf(key: ApiKey): string {
  return `key:${key.name}`;
}

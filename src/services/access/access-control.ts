import { InsufficientScopeError, UnauthenticatedError } from '../../errors/caller-errors.js';
import type { Auth, CookieStore, SessionUser } from '../auth/auth-types.js';
import { findApiKey, type ApiKey } from './api-key.js';
import { OPEN_PROJECT_SCOPES, type Scope } from './scope.js';

/** Who sent a request, and what they may do. */
export interface Caller {
  readonly kind: 'api-key' | 'session' | 'anonymous';
  /** Identifies the caller in the log and in the queue; not an address. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The person, when a session was presented. */
  readonly user?: SessionUser;
}

export interface AccessOptions {
  /** None by default. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Open mode: whoever has no credential has `openScopes`. `false` by default. */
  readonly allowAnonymous?: boolean | undefined;
  /** What everybody may do in open mode; `OPEN_PROJECT_SCOPES` by default. */
  readonly openScopes?: readonly Scope[] | undefined;
  /** What a signed-in person may do; `project:read` by default: signing up must not hand anyone the study's data. */
  readonly sessionScopes?: readonly Scope[] | undefined;
  /** Knows the sessions; without it there are none. */
  readonly auth?: Pick<Auth, 'currentUser'> | undefined;
  readonly clock?: (() => Date) | undefined;
}

/** What a request presents. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  readonly cookies: CookieStore;
}

/** Decides who a caller is and whether they may: deny by default (GW-01). */
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
    // A key that is presented must be good, in open mode too: otherwise its owner would never learn that it is not.
    if (authorization !== undefined) return this.#byApiKey(authorization);
    if (this.isOpen) return this.#anonymous;

    const user = await this.#auth?.currentUser(cookies);
    if (user) return { kind: 'session', name: `session:${user.id}`, scopes: this.#sessionScopes, user };
    throw new UnauthenticatedError();
  }

  /** What a signed-in person may do: in open mode the same as everybody else. */
  get scopesOfSessions(): readonly Scope[] {
    return this.isOpen ? this.#anonymous.scopes : this.#sessionScopes;
  }

  /** @throws {InsufficientScopeError} the caller lacks one of the scopes */
  authorize(caller: Caller, scopes: readonly string[]): void {
    const held: readonly string[] = caller.scopes;
    const missing = scopes.filter((scope) => !held.includes(scope));
    if (missing.length > 0) throw new InsufficientScopeError(missing);
  }

  #byApiKey(authorization: string): Caller {
    const [, presented] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const key = presented === undefined ? undefined : findApiKey(this.#apiKeys, presented, this.#clock());
    if (key === undefined) throw new UnauthenticatedError();
    return { kind: 'api-key', name: `key:${key.name}`, scopes: key.scopes };
  }
}

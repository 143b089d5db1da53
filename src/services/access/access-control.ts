import { InsufficientScopeError, UnauthenticatedError } from '../../domain/errors/access-errors.js';
import type { Auth, CookieStore, SessionUser } from '../auth/auth-types.js';
import { findApiKey, type ApiKey } from './api-key.js';
import type { Scope } from '../../domain/identifiers/scope.js';
import { fitsAddress } from '../../policy/caller-views.js';

/** The sender of a request, and what they may do. */
export interface Caller {
  readonly kind: 'api-key' | 'session' | 'anonymous';
  /** Identifies the caller in the log and in the queue. Contains no address. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The person, if a session was presented. */
  readonly user?: SessionUser;
  /** The projects of the API key, if its entry names them. */
  readonly projects?: readonly string[] | undefined;
}

/** What a signed-in person may do in some of the projects. */
export interface SessionGrant {
  /** An address, in which one `*` may stand for anything. */
  readonly email: string;
  readonly projects: readonly string[];
  readonly scopes: readonly Scope[];
}

/** What is needed of a caller to know their projects. */
export type Member = Pick<Caller, 'kind' | 'name' | 'scopes' | 'projects'> & {
  readonly user?: { readonly email: string } | undefined;
};

export interface AccessOptions {
  /** Read for each call: a key that is removed from the list is refused at once. None by default. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /**
   * Open mode: no credential is required. On the sandbox every caller has every scope; on any other project
   * `project:read`, `records:read`, `records:write` and `users:read`. Never use it on a network you do not trust. `false`
   * by default.
   */
  readonly allowAnonymous?: boolean | undefined;
  /** The scopes of all callers in open mode; `OPEN_PROJECT_SCOPES` by default. */
  readonly openScopes?: readonly Scope[] | undefined;
  /**
   * The scopes of a signed-in person; `project:read` by default, because signing up must not give access to the data of
   * the study.
   */
  readonly sessionScopes?: readonly Scope[] | undefined;
  /**
   * Of an application of several projects: who of the signed-in people has which. With it, whoever it does not name has
   * none; without it, `sessionScopes` are those in the default project.
   */
  readonly sessions?: readonly SessionGrant[] | undefined;
  /** The token with which clients of REDCap's API call in open mode; none by default, so that they need a key. */
  readonly openToken?: string | undefined;
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
  #sessions: readonly SessionGrant[] | undefined;
  readonly #auth: Pick<Auth, 'currentUser'> | undefined;
  readonly #clock: () => Date;
  readonly #openToken: string | undefined;
  readonly isOpen: boolean;

  constructor(options: AccessOptions = {}) {
    this.#apiKeys = options.apiKeys ?? [];
    this.#sessionScopes = options.sessionScopes ?? ['project:read'];
    this.#anonymous = {
      kind: 'anonymous',
      name: 'anonymous',
      scopes: options.openScopes ?? OPEN_PROJECT_SCOPES,
    };
    this.#sessions = options.sessions;
    this.#auth = options.auth;
    this.#clock = options.clock ?? (() => new Date());
    this.#openToken = options.openToken;
    this.isOpen = options.allowAnonymous ?? false;
  }

  /**
   * @throws {UnauthenticatedError} no credential, or one that is unknown, malformed or expired
   * @throws {ProblemError} `identity_unavailable`: a session was presented and cannot be checked (SESS-06)
   */
  async identify({ authorization, cookies }: Credentials): Promise<Caller> {
    // A key must be valid even in open mode. Otherwise its owner would not notice that it is not.
    if (authorization !== undefined) return this.#byApiKey(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
    if (this.isOpen) return this.#anonymous;

    const user = await this.#auth?.currentUser(cookies);
    if (user) return { kind: 'session', name: `session:${user.id}`, scopes: this.#sessionScopes, user };
    throw new UnauthenticatedError();
  }

  /** Puts other projects of signed-in people to use, from the next request on. */
  replaceSessions(sessions: readonly SessionGrant[] | undefined): void {
    this.#sessions = sessions;
  }

  /**
   * Returns the scopes of a caller in a project; undefined if it is not theirs. A name that no project has costs as much
   * as one that is not theirs. A caller of an open service without a credential has every project.
   *
   * @param isDefault whether it is the project without a prefix
   */
  scopesIn(caller: Member, project: string, isDefault: boolean): readonly Scope[] | undefined {
    const { kind, projects, scopes, user } = caller;
    if (kind === 'anonymous') return scopes;
    if (kind === 'session' && this.#sessions !== undefined) {
      const grants = this.#sessions.filter(
        // The address first: how many addresses are compared must not tell how often a project is named.
        ({ email, projects: named }) => fitsAddress(email, user?.email ?? '') && named.includes(project),
      );
      return grants.length === 0 ? undefined : [...new Set(grants.flatMap((grant) => grant.scopes))];
    }
    const isTheirs = projects === undefined ? isDefault : projects.includes(project);
    return isTheirs ? scopes : undefined;
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

  /**
   * Identifies the caller of REDCap's API by the token of the call: an API key, or the public token of open mode.
   *
   * @throws {UnauthenticatedError} it is missing, unknown, malformed or expired
   */
  identifyToken(token: string): Caller {
    const { isOpen } = this;
    if (isOpen && this.#openToken !== undefined && token.toUpperCase() === this.#openToken.toUpperCase())
      return this.#anonymous;
    return this.#byApiKey(token);
  }

  #byApiKey(presented: string): Caller {
    const key = findApiKey(this.#apiKeys, presented, this.#clock());
    if (key !== undefined) {
      const { scopes, projects } = key;
      return { kind: 'api-key', name: nameOf(key), scopes, ...(projects && { projects }) };
    }
    const expired = findApiKey(this.#apiKeys, presented);
    throw new UnauthenticatedError('api-key', expired && nameOf(expired));
  }
}

function nameOf(key: ApiKey): string {
  return `key:${key.name}`;
}

/**
 * The scopes of anonymous callers in open mode with a configured project. Design, users, deletion, files, logs and
 * survey links must be granted explicitly, to an API key or in `SESSION_SCOPES`.
 */
export const OPEN_PROJECT_SCOPES: readonly Scope[] = [
  'project:read',
  'records:read',
  'records:write',
  'users:read',
];

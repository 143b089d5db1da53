import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { CrfError } from '../../domain/errors/crf-error.js';
import { SignInFailedError } from '../../domain/errors/access-errors.js';
import { UserId } from '../../domain/identifiers/names.js';
import { AppwriteClients } from './appwrite-clients.js';
import { appwriteConnection, type AppwriteOptions } from './appwrite-connection.js';
import {
  appwriteFailure,
  type AppwriteFailure,
  deadSession,
  declinedLink,
  gone,
  blankSecret,
  identityProblem,
  unreadableAnswer,
} from './appwrite-failure.js';
import type {
  AccountLookup,
  IdentityAccount,
  IdentitySession,
  KeyScope,
  LinkRequest,
  LinkRequestOutcome,
  OpenedSession,
} from './identity-types.js';

/**
 * The Appwrite operations that passwordless sign-in needs. Every call has a time limit, follows no redirects and uses a
 * client of its own. Ids are checked before a call, because an empty one would request the whole list.
 *
 * Every method can also throw these two:
 * - `identity_unavailable`: no connection, no answer in time, 408, 429, 5xx, or an unreadable answer
 * - `identity_refused`: the key, scopes, project or allowed hosts are wrong
 */
export class AppwriteGateway {
  readonly #clients: AppwriteClients;

  /** @throws {ConfigurationError} naming every invalid setting, never its value */
  constructor(options: AppwriteOptions) {
    this.#clients = new AppwriteClients(appwriteConnection(options));
  }

  /**
   * Makes Appwrite email a sign-in link. Its answer contains the link's secret, which does not leave this method (D1).
   *
   * @see docs/protocol/appwrite.md 5.2, 5.3 (source)
   */
  async createMagicUrlToken(request: LinkRequest): Promise<LinkRequestOutcome> {
    const { userId, email, url, userAgent, language } = request;
    const { account } = await this.#clients.withKey(userAgent, language);
    const token = { userId: UserId(userId), email, url, phrase: true };
    return this.#answer(async () => acceptedLink(await account.createMagicURLToken(token)), declinedLink);
  }

  /**
   * Exchanges a link for a session. Appwrite then deletes the link.
   *
   * @throws {SignInFailedError} unknown user, or a wrong, used or expired secret; Appwrite does not distinguish them
   * @see docs/protocol/appwrite.md 5.5 (source)
   */
  async createSession(userId: string, secret: string, userAgent?: string): Promise<OpenedSession> {
    const { account } = await this.#clients.withKey(userAgent);
    const answer = await this.#answer(
      () => account.createSession({ userId: UserId(userId), secret }),
      refusedLink,
    );
    const session = readAnswer(SessionAnswer, answer);
    if (session.secret === '') throw blankSecret();
    return { id: session.$id, userId: session.userId, secret: session.secret, expire: session.expire };
  }

  /** Returns the account that a session belongs to. @see docs/protocol/appwrite.md 5.7 (source) */
  async getAccount(sessionSecret: string): Promise<AccountLookup> {
    if (!isSessionSecret(sessionSecret)) return { kind: 'no-session' };
    const account = await this.#clients.withSession(sessionSecret);
    const answer = await this.#answer(() => account.get(), deadSession);
    if (typeof answer === 'string') return { kind: answer };
    return { kind: 'active', account: toAccount(readAnswer(AccountAnswer, answer)) };
  }

  /** @returns the sessions of the person, or `undefined` if the presented session is no longer valid */
  async listSessions(sessionSecret: string): Promise<IdentitySession[] | undefined> {
    if (!isSessionSecret(sessionSecret)) return undefined;
    const account = await this.#clients.withSession(sessionSecret);
    const answer = await this.#answer(() => account.listSessions(), deadSession);
    if (typeof answer === 'string') return undefined;
    return readAnswer(SessionListAnswer, answer).sessions.map((session) => ({
      id: session.$id,
      isCurrent: session.current,
      createdAt: session.$createdAt,
      expire: session.expire,
      clientName: session.clientName,
      osName: session.osName,
      countryName: session.countryName,
    }));
  }

  /**
   * Ends a session with the API key, which works for a blocked person too and has no rate limit. A missing session, or
   * one of another person, is not an error.
   *
   * @see docs/protocol/appwrite.md 5.1, 5.8 (source)
   */
  async deleteUserSession(userId: string, sessionId: string): Promise<void> {
    const { users } = await this.#clients.withKey();
    const ids = { userId: UserId(userId), sessionId };
    if (isSessionId(sessionId)) await this.#answer(() => users.deleteSession(ids), gone);
  }

  /** Ends all sessions of a person. A missing account is not an error. */
  async deleteUserSessions(userId: string): Promise<void> {
    const { users } = await this.#clients.withKey();
    await this.#answer(() => users.deleteSessions({ userId: UserId(userId) }), gone);
  }

  /** Deletes an account, after which its id and email address can be used again. A missing account is not an error. */
  async deleteUser(userId: string): Promise<void> {
    const { users } = await this.#clients.withKey();
    await this.#answer(() => users.delete({ userId: UserId(userId) }), gone);
  }

  /** @returns the account, or `undefined` if no account has the id */
  async getUser(userId: string): Promise<IdentityAccount | undefined> {
    const { users } = await this.#clients.withKey();
    const answer = await this.#answer(() => users.get({ userId: UserId(userId) }), gone);
    return answer === 'gone' ? undefined : toAccount(readAnswer(AccountAnswer, answer));
  }

  /**
   * Checks that the endpoint answers and accepts the project and the key. Does not check the key's scopes.
   *
   * @see docs/protocol/appwrite.md 5.9 (sdk, source)
   */
  async ping(): Promise<void> {
    const { client } = await this.#clients.withKey();
    readAnswer(PingAnswer, await this.#answer(() => client.ping()));
  }

  /**
   * Finds out which scopes the key has without changing anything. Appwrite checks the scope before it looks up the
   * user, and the probed user does not exist.
   *
   * @see docs/protocol/appwrite.md 2.5 (source)
   */
  async probeScopes(): Promise<Record<KeyScope, boolean>> {
    const { account, users, query } = await this.#clients.withKey();
    const userId = `probe-${randomBytes(12).toString('hex')}`;
    const secret = randomBytes(32).toString('hex');
    const [sessionsWrite, usersRead, usersWrite] = await Promise.all([
      this.#isInScope(() => account.createSession({ userId, secret }), 'user_invalid_token'),
      this.#isInScope(() => users.list({ queries: [query.limit(1)], total: false }), undefined),
      this.#isInScope(() => users.updateStatus({ userId, status: true }), 'user_not_found'),
    ]);
    return { 'sessions.write': sessionsWrite, 'users.read': usersRead, 'users.write': usersWrite };
  }

  async #isInScope(call: () => Promise<unknown>, expectedType: string | undefined): Promise<boolean> {
    const answer = await this.#answer(call, (failure) => {
      if (failure.type === 'general_unauthorized_scope') return 'missing';
      return failure.type === expectedType ? 'present' : undefined;
    });
    return answer !== 'missing';
  }

  /**
   * @param read handles a failure that is specific to the call, by returning a value or throwing; with `undefined`, the
   *   failure is handled like that of any call
   */
  async #answer<Answer, Meaning = never>(
    call: () => Promise<Answer>,
    read: (failure: AppwriteFailure) => Meaning | undefined = () => undefined,
  ): Promise<Answer | Meaning> {
    try {
      // The SDK throws synchronously if a parameter is missing. Here that becomes a rejection too.
      return await call();
    } catch (error) {
      if (error instanceof CrfError) throw error;
      const failure = appwriteFailure(error);
      const meaning = read(failure);
      if (meaning !== undefined) return meaning;
      throw identityProblem(failure);
    }
  }
}

/** The only place that sees a link's secret (D1, AUTH-01). The fingerprint it returns cannot be used to sign in. */
function acceptedLink(answer: unknown): LinkRequestOutcome {
  const { $id, userId, secret, phrase } = readAnswer(TokenAnswer, answer);
  if (secret === '') throw blankSecret();
  const fingerprint = createHash('sha256').update(secret).digest('hex');
  return { kind: 'accepted', tokenId: $id, userId, phrase, fingerprint };
}

function refusedLink(failure: AppwriteFailure): undefined {
  if (failure.type === 'user_invalid_token') throw new SignInFailedError({ cause: failure });
}

function toAccount(answer: z.infer<typeof AccountAnswer>): IdentityAccount {
  return {
    id: answer.$id,
    email: answer.email,
    isEnabled: answer.status,
    isEmailVerified: answer.emailVerification,
  };
}

/** Whether the value can be a session id; `current` is the presented session. */
function isSessionId(value: string): boolean {
  return /^(?:current|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.test(value);
}

/**
 * Whether the value can be a session secret: standard base64 of a small JSON object. A line break in it would make
 * `fetch` throw. @see docs/protocol/appwrite.md 7.3 (source, measured)
 */
function isSessionSecret(value: string): boolean {
  return /^[A-Za-z0-9+/]{64,2048}={0,2}$/.test(value);
}

// The SDK only declares the types of its answers and does not check them. These schemas pick the properties we use; an
// account in the users API has more.
const Id = z.string().min(1).max(255);

/** The SDK's wrapper of the text `Pong!`. It tells Appwrite apart from any other server at the endpoint. */
const PingAnswer = z.object({ message: z.literal('Pong!') });

const TokenAnswer = z.object({
  $id: Id,
  userId: Id,
  secret: z.string(),
  phrase: z.string().max(100).catch(''),
});

const SessionAnswer = z.object({
  $id: Id,
  $createdAt: z.string(),
  userId: Id,
  expire: z.string(),
  secret: z.string(),
});

const SessionListAnswer = z.object({
  sessions: z.array(
    z.object({
      $id: Id,
      $createdAt: z.string(),
      expire: z.string(),
      current: z.boolean(),
      clientName: z.string().catch(''),
      osName: z.string().catch(''),
      countryName: z.string().catch(''),
    }),
  ),
});

const AccountAnswer = z.object({
  $id: Id,
  email: z.string(),
  status: z.boolean(),
  emailVerification: z.boolean(),
});

/** @throws {ProblemError} `identity_unavailable`: the answer does not match the schema */
function readAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const outcome = schema.safeParse(answer);
  // Drop the schema's own error: it quotes the values it rejected.
  if (!outcome.success) throw unreadableAnswer();
  return outcome.data;
}

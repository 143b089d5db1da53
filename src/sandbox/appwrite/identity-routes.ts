import { accountAnswer, sessionAnswer, tokenAnswer, userAnswer } from './identity-answers.js';
import { encodeSessionSecret, type IdentityCaller } from './identity-caller.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import { isCounted, readQueries, readSearch } from './identity-queries.js';
import { newId, type IdentityStore, type StoredSession, type StoredUser } from './identity-store.js';
import type { IdentityMail } from './identity-mail.js';
import { checkRedirect, magicUrl } from './magic-url.js';
import { securityPhrase } from './security-phrase.js';

/** One request, after its caller was identified. */
export interface IdentityRequest {
  readonly caller: IdentityCaller;
  readonly parameters: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

/** How often a route may be called without a key. @see docs/protocol/appwrite.md 5.1 (source, specification) */
export interface IdentityLimit {
  readonly perHour: number;
  /** What the calls are counted by, each by itself. */
  readonly countedBy: (call: {
    readonly ip: string;
    readonly body: IdentityRequest['body'];
  }) => readonly unknown[];
  readonly isClearedBySuccess: boolean;
}

/** What the routes work on. */
export interface IdentityContext {
  readonly store: IdentityStore;
  readonly projectId: string;
  readonly projectName: string;
  readonly allowedHosts: readonly string[];
  readonly now: () => Date;
  readonly deliver: (mail: IdentityMail) => void;
}

/** What a route answers; a session that was made is named, because cookies go with it. */
export interface IdentityReply {
  readonly status: number;
  readonly body?: object | string;
  readonly sessionSecret?: string;
}

export interface IdentityRoute {
  readonly method: string;
  readonly path: RegExp;
  /** One of these is enough; none: everybody. */
  readonly scopes: readonly string[];
  /** Whether nobody but a key may call it, though guests have one of the scopes too. @see docs/protocol/appwrite.md 3.1 */
  readonly isForKeysOnly?: true;
  readonly limit?: IdentityLimit;
  readonly answer: (context: IdentityContext, request: IdentityRequest) => IdentityReply;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const byAddress = (perHour: number): IdentityLimit => ({
  perHour,
  countedBy: ({ ip }) => [ip],
  isClearedBySuccess: false,
});

/** The routes of docs/protocol/appwrite.md 11. */
export const IDENTITY_ROUTES: readonly IdentityRoute[] = [
  { method: 'GET', path: /^\/ping$/, scopes: [], answer: () => ({ status: 200, body: 'Pong!' }) },
  {
    method: 'GET',
    path: /^\/health$/,
    scopes: [],
    answer: () => ({ status: 200, body: { name: 'http', ping: 0, status: 'pass' } }),
  },
  {
    method: 'POST',
    path: /^\/account\/(?:tokens|sessions)\/magic-url$/,
    scopes: ['sessions.write'],
    limit: {
      perHour: 60,
      countedBy: ({ ip, body }) => [['email', body.email], ip],
      isClearedBySuccess: false,
    },
    answer: sendMagicUrl,
  },
  {
    method: 'POST',
    path: /^\/account\/sessions\/token$/,
    scopes: ['sessions.write'],
    limit: { perHour: 10, countedBy: ({ ip, body }) => [[ip, body.userId]], isClearedBySuccess: true },
    answer: exchange,
  },
  {
    method: 'GET',
    path: /^\/account$/,
    scopes: ['account'],
    answer: (_context, { caller }) => ({ status: 200, body: accountAnswer(ownUser(caller)) }),
  },
  { method: 'GET', path: /^\/account\/sessions$/, scopes: ['account'], answer: ownSessions },
  { method: 'GET', path: /^\/account\/sessions\/([^/]+)$/, scopes: ['account'], answer: ownSession },
  {
    method: 'PATCH',
    path: /^\/account\/sessions\/([^/]+)$/,
    scopes: ['account'],
    limit: byAddress(10),
    answer: prolongOwnSession,
  },
  {
    method: 'DELETE',
    path: /^\/account\/sessions\/([^/]+)$/,
    scopes: ['account'],
    limit: byAddress(100),
    answer: endOwnSession,
  },
  {
    method: 'DELETE',
    path: /^\/account\/sessions$/,
    scopes: ['account'],
    limit: byAddress(100),
    answer: endOwnSessions,
  },
  { method: 'GET', path: /^\/users\/?$/, scopes: ['users.read'], answer: listUsers },
  { method: 'POST', path: /^\/users$/, scopes: ['users.write'], answer: createUser },
  {
    method: 'GET',
    path: /^\/users\/([^/]+)$/,
    scopes: ['users.read'],
    answer: (context, request) => ({ status: 200, body: userAnswer(namedUser(context, request)) }),
  },
  { method: 'DELETE', path: /^\/users\/([^/]+)$/, scopes: ['users.write'], answer: deleteUser },
  { method: 'PATCH', path: /^\/users\/([^/]+)\/status$/, scopes: ['users.write'], answer: changeStatus },
  {
    method: 'GET',
    path: /^\/users\/([^/]+)\/sessions$/,
    scopes: ['users.read', 'sessions.read'],
    isForKeysOnly: true,
    answer: sessionsOfUser,
  },
  {
    method: 'POST',
    path: /^\/users\/([^/]+)\/sessions$/,
    scopes: ['users.write', 'sessions.write'],
    isForKeysOnly: true,
    answer: createSessionOfUser,
  },
  {
    method: 'DELETE',
    path: /^\/users\/([^/]+)\/sessions$/,
    scopes: ['users.write', 'sessions.write'],
    isForKeysOnly: true,
    answer: endSessionsOfUser,
  },
  {
    method: 'DELETE',
    path: /^\/users\/([^/]+)\/sessions\/([^/]+)$/,
    scopes: ['users.write', 'sessions.write'],
    isForKeysOnly: true,
    answer: endSessionOfUser,
  },
];

/** @see docs/protocol/appwrite.md 5.2 (source) */
function sendMagicUrl(context: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
  const userId = textOf(body, 'userId', (value) => value === 'unique()' || ID.test(value));
  const email = textOf(body, 'email', (value) => EMAIL.test(value.trim().toLowerCase()));
  if (body.phrase !== undefined && typeof body.phrase !== 'boolean') throw invalidParameter('phrase');
  const url = body.url === undefined ? undefined : textOf(body, 'url', () => true);
  if (url !== undefined) checkRedirect(url, context.allowedHosts);

  const user = context.store.userByEmail(email) ?? newUser(context, userId, email);
  const token = context.store.addToken(user.id);
  const link = magicUrl(url ?? 'http://localhost/', {
    userId: user.id,
    secret: token.secret,
    expiresAt: token.expiresAt,
    projectId: context.projectId,
  });
  const phrase = body.phrase === true ? securityPhrase() : '';
  context.deliver({
    to: email,
    phrase,
    subject: `${context.projectName} Login`,
    link,
    requestedWith: caller.userAgent,
    date: context.now(),
  });
  // The secret is in the answer for key callers alone (5.3).
  const secret = caller.hasKey ? token.secret : '';
  return { status: 201, body: tokenAnswer(token, user.id, secret, context.now(), phrase) };
}

/** A taken id with a new address is an error that nobody catches: 500. @see docs/protocol/appwrite.md 5.2 (inferred) */
function newUser({ store }: IdentityContext, userId: string, email: string): StoredUser {
  const id = userId === 'unique()' ? newId() : userId;
  if (store.user(id) !== undefined) throw new IdentityError('general_unknown');
  return store.addUser(id, email);
}

/** @see docs/protocol/appwrite.md 5.5 (source) */
function exchange({ store }: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
  if (caller.session !== undefined) throw new IdentityError('user_session_already_exists');
  const userId = textOf(body, 'userId', (value) => ID.test(value));
  const secret = textOf(body, 'secret', (value) => value.length >= 1 && value.length <= 256);
  const user = store.takeToken(userId, secret);
  return newSession(store, user, caller, 'magic-url');
}

function newSession(
  store: IdentityStore,
  user: StoredUser,
  caller: IdentityCaller,
  provider: string,
): IdentityReply {
  const { session, secret } = store.addSession(user.id, caller.userAgent);
  const encoded = encodeSessionSecret(user.id, secret);
  return {
    status: 201,
    body: sessionAnswer(session, { secret: caller.hasKey ? encoded : '', isCurrent: true, provider }),
    sessionSecret: encoded,
  };
}

/** @throws {IdentityError} the user is blocked. @see docs/protocol/appwrite.md 2.5 (source) */
function ownUser({ user, session }: IdentityCaller): StoredUser {
  if (user === undefined || session === undefined) throw new IdentityError('general_unauthorized_scope');
  return user;
}

function ownSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  const sessions = store.sessionsOf(ownUser(caller).id).map((session) => shown(session, caller));
  return { status: 200, body: { total: sessions.length, sessions } };
}

function ownSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return { status: 200, body: shown(sessionNamed(context, request), request.caller) };
}

function prolongOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const session = sessionNamed(context, request);
  context.store.prolong(session);
  return { status: 200, body: shown(session, request.caller) };
}

function endOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSession(sessionNamed(context, request).id);
  return { status: 204 };
}

function endOwnSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  store.deleteSessionsOf(ownUser(caller).id);
  return { status: 204 };
}

/** `current` is the caller's; another person's is not found. */
function sessionNamed(
  { store }: IdentityContext,
  { caller, parameters: [id] }: IdentityRequest,
): StoredSession {
  const user = ownUser(caller);
  const session = id === 'current' ? caller.session : store.sessionsOf(user.id).find((own) => own.id === id);
  if (session === undefined) throw new IdentityError('user_session_not_found');
  return session;
}

function shown(session: StoredSession, caller: IdentityCaller): object {
  return sessionAnswer(session, { secret: '', isCurrent: session.id === caller.session?.id });
}

/** `total` counts what matches, not what is shown. @see docs/protocol/appwrite.md 5.8 (source) */
function listUsers({ store }: IdentityContext, { query }: IdentityRequest): IdentityReply {
  const { matches, limit, offset } = readQueries(query);
  const search = readSearch(query);
  const found = store.users.filter((user) => search(user) && matches.every((isMatch) => isMatch(user)));
  const shown = found.slice(offset, offset + limit);
  return { status: 200, body: { total: isCounted(query) ? found.length : 0, users: shown.map(userAnswer) } };
}

function createUser({ store }: IdentityContext, { body }: IdentityRequest): IdentityReply {
  const userId = textOf(body, 'userId', (value) => value === 'unique()' || ID.test(value));
  const email = textOf(body, 'email', (value) => EMAIL.test(value)).toLowerCase();
  if (store.user(userId) !== undefined || store.userByEmail(email) !== undefined) {
    throw new IdentityError('user_already_exists');
  }
  return { status: 201, body: userAnswer(store.addUser(userId === 'unique()' ? newId() : userId, email)) };
}

function namedUser({ store }: IdentityContext, { parameters: [id = ''] }: IdentityRequest): StoredUser {
  const user = store.user(id);
  if (user === undefined) throw new IdentityError('user_not_found');
  return user;
}

function deleteUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteUser(namedUser(context, request).id);
  return { status: 204 };
}

function changeStatus(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  if (typeof request.body.status !== 'boolean') throw invalidParameter('status');
  user.isEnabled = request.body.status;
  return { status: 200, body: userAnswer(user) };
}

/** The secret here is the hash of the inner one: it opens nothing. @see docs/protocol/appwrite.md 5.3 (source) */
function sessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const sessions = context.store
    .sessionsOf(namedUser(context, request).id)
    .map((session) => sessionAnswer(session, { secret: session.secretHash, isCurrent: false }));
  return { status: 200, body: { total: isCounted(request.query) ? sessions.length : 0, sessions } };
}

function createSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return newSession(context.store, namedUser(context, request), request.caller, 'server');
}

function endSessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSessionsOf(namedUser(context, request).id);
  return { status: 204 };
}

function endSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  const session = context.store.sessionsOf(user.id).find(({ id }) => id === request.parameters[1]);
  if (session === undefined) throw new IdentityError('user_session_not_found');
  context.store.deleteSession(session.id);
  return { status: 204 };
}

function textOf(body: IdentityRequest['body'], name: string, isValid: (value: string) => boolean): string {
  const value = body[name];
  if (typeof value !== 'string' || !isValid(value)) throw invalidParameter(name);
  return value;
}

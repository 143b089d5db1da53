import { accountAnswer, sessionAnswer, tokenAnswer } from './identity-answers.js';
import { encodeSessionSecret, type IdentityCaller } from './identity-caller.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import {
  EMAIL,
  ID,
  route,
  textOf,
  type IdentityContext,
  type IdentityLimit,
  type IdentityReply,
  type IdentityRequest,
  type IdentityRoute,
} from './identity-request.js';
import { newId, type IdentityStore, type StoredSession, type StoredUser } from './identity-store.js';
import { checkRedirect, magicUrl, securityPhrase } from './magic-url.js';

const byAddress = (perHour: number): { readonly limit: IdentityLimit } => ({
  limit: { perHour, countedBy: ({ ip }) => [ip], isClearedBySuccess: false },
});

/** The routes for a person's own account, and those for everybody. @see docs/protocol/appwrite.md 11 */
export const ACCOUNT_ROUTES: readonly IdentityRoute[] = [
  route('GET', '/ping', [], () => ({ body: 'Pong!' })),
  route('GET', '/health', [], () => ({ body: { name: 'http', ping: 0, status: 'pass' } })),
  route('POST', '/account/(?:tokens|sessions)/magic-url', ['sessions.write'], sendMagicUrl, {
    limit: {
      perHour: 60,
      countedBy: ({ ip, body }) => [['email', body.email], ip],
      isClearedBySuccess: false,
    },
  }),
  route('POST', '/account/sessions/token', ['sessions.write'], exchange, {
    limit: { perHour: 10, countedBy: ({ ip, body }) => [[ip, body.userId]], isClearedBySuccess: true },
  }),
  route('GET', '/account', ['account'], (_context, { caller }) => ({ body: accountAnswer(ownUser(caller)) })),
  route('GET', '/account/sessions', ['account'], ownSessions),
  route('GET', '/account/sessions/{id}', ['account'], ownSession),
  route('PATCH', '/account/sessions/{id}', ['account'], prolongOwnSession, byAddress(10)),
  route('DELETE', '/account/sessions/{id}', ['account'], endOwnSession, byAddress(100)),
  route('DELETE', '/account/sessions', ['account'], endOwnSessions, byAddress(100)),
];

/** Creates a magic link and delivers it by mail. @see docs/protocol/appwrite.md 5.2 (source) */
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
    subject: caller.locale === 'de' ? `${context.projectName}: Anmeldung` : `${context.projectName} Login`,
    link,
    requestedWith: caller.userAgent,
    date: context.now(),
  });
  // The response contains the secret only if the caller has a key (5.3).
  const secret = caller.hasKey ? token.secret : '';
  return { status: 201, body: tokenAnswer(token, user.id, secret, context.now(), phrase) };
}

/**
 * Creates a user. A new address with an existing ID is an unhandled error in Appwrite: 500.
 *
 * @see docs/protocol/appwrite.md 5.2 (inferred)
 */
function newUser({ store }: IdentityContext, userId: string, email: string): StoredUser {
  const id = userId === 'unique()' ? newId() : userId;
  if (store.user(id) !== undefined) throw new IdentityError('general_unknown');
  return store.addUser(id, email);
}

/** Exchanges the secret of a link for a session. @see docs/protocol/appwrite.md 5.5 (source) */
function exchange({ store }: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
  if (caller.session !== undefined) throw new IdentityError('user_session_already_exists');
  const userId = textOf(body, 'userId', (value) => ID.test(value));
  const secret = textOf(body, 'secret', (value) => value.length >= 1 && value.length <= 256);
  const user = store.takeToken(userId, secret);
  return newSession(store, user, caller, 'magic-url');
}

/** Creates a session. The response contains its secret only if the caller has a key. */
export function newSession(
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

/** @throws {IdentityError} the caller has no session. @see docs/protocol/appwrite.md 2.5 (source) */
function ownUser({ user, session }: IdentityCaller): StoredUser {
  if (user === undefined || session === undefined) throw new IdentityError('general_unauthorized_scope');
  return user;
}

function ownSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  const sessions = store.sessionsOf(ownUser(caller).id).map((session) => shown(session, caller));
  return { body: { total: sessions.length, sessions } };
}

function ownSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return { body: shown(sessionNamed(context, request), request.caller) };
}

function prolongOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const session = sessionNamed(context, request);
  context.store.prolong(session);
  return { body: shown(session, request.caller) };
}

function endOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSession(sessionNamed(context, request).id);
  return {};
}

function endOwnSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  store.deleteSessionsOf(ownUser(caller).id);
  return {};
}

/** Finds a session of the caller, where `current` is the current one. Sessions of other users are not found. */
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

import { sessionAnswer, tokenAnswer } from './identity-answers.js';
import { encodeSessionSecret, type IdentityCaller } from './identity-caller.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import {
  EMAIL,
  ID,
  textOf,
  type IdentityContext,
  type IdentityReply,
  type IdentityRequest,
} from './identity-request.js';
import { newId, type IdentityStore, type StoredSession, type StoredUser } from './identity-store.js';
import { checkRedirect, magicUrl } from './magic-url.js';
import { securityPhrase } from './security-phrase.js';

// Handlers for a person's own account: `/account`.

/** Creates a magic link and delivers it by mail. @see docs/protocol/appwrite.md 5.2 (source) */
export function sendMagicUrl(context: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
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
export function exchange({ store }: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
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
export function ownUser({ user, session }: IdentityCaller): StoredUser {
  if (user === undefined || session === undefined) throw new IdentityError('general_unauthorized_scope');
  return user;
}

export function ownSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  const sessions = store.sessionsOf(ownUser(caller).id).map((session) => shown(session, caller));
  return { status: 200, body: { total: sessions.length, sessions } };
}

export function ownSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return { status: 200, body: shown(sessionNamed(context, request), request.caller) };
}

export function prolongOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const session = sessionNamed(context, request);
  context.store.prolong(session);
  return { status: 200, body: shown(session, request.caller) };
}

export function endOwnSession(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSession(sessionNamed(context, request).id);
  return { status: 204 };
}

export function endOwnSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  store.deleteSessionsOf(ownUser(caller).id);
  return { status: 204 };
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

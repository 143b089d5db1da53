import { accountAnswer, sessionAnswer, tokenAnswer } from './identity-answers.js';
import { encodeSessionSecret, type IdentityCaller } from './identity-caller.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import {
  EMAIL,
  ID,
  route,
  textOf,
  type IdentityContext,
  type IdentityReply,
  type IdentityRequest,
  type IdentityRoute,
} from './identity-request.js';
import { newId, type StoredUser } from './identity-store.js';
import { checkRedirect, magicUrl, securityPhrase } from './magic-url.js';

/** The routes for a person's own account, and those for everybody. @see docs/protocol/appwrite.md 11 */
export const ACCOUNT_ROUTES: readonly IdentityRoute[] = [
  route('GET', '/ping', undefined, () => ({ body: 'Pong!' })),
  route('POST', '/account/tokens/magic-url', 'sessions.write', sendMagicUrl),
  route('POST', '/account/sessions/token', 'sessions.write', exchange),
  route('GET', '/account', 'account', (_context, { caller }) => ({ body: accountAnswer(ownUser(caller)) })),
  route('GET', '/account/sessions', 'account', ownSessions),
];

/** Creates a magic link and delivers it by mail. @see docs/protocol/appwrite.md 5.2 (source) */
function sendMagicUrl(context: IdentityContext, { caller, body }: IdentityRequest): IdentityReply {
  const userId = textOf(body, 'userId', (value) => value === 'unique()' || ID.test(value));
  const email = textOf(body, 'email', (value) => EMAIL.test(value.trim().toLowerCase()));
  if (body.phrase !== undefined && typeof body.phrase !== 'boolean') throw invalidParameter('phrase');
  const url = body.url === undefined ? undefined : textOf(body, 'url', () => true);
  if (url !== undefined) checkRedirect(url);

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
  const { session, secret: ofSession } = store.addSession(user.id, caller.userAgent);
  const encoded = encodeSessionSecret(user.id, ofSession);
  // The response contains the secret only if the caller has a key.
  const shown = caller.hasKey ? encoded : '';
  return {
    status: 201,
    body: sessionAnswer(session, { secret: shown, isCurrent: true }),
    sessionSecret: encoded,
  };
}

/** @throws {IdentityError} the caller has no session. @see docs/protocol/appwrite.md 2.5 (source) */
function ownUser({ user, session }: IdentityCaller): StoredUser {
  if (user === undefined || session === undefined) throw new IdentityError('general_unauthorized_scope');
  return user;
}

function ownSessions({ store }: IdentityContext, { caller }: IdentityRequest): IdentityReply {
  const sessions = store
    .sessionsOf(ownUser(caller).id)
    .map((session) => sessionAnswer(session, { secret: '', isCurrent: session.id === caller.session?.id }));
  return { body: { total: sessions.length, sessions } };
}

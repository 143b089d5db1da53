import { newSession } from './account-handlers.js';
import { sessionAnswer, userAnswer } from './identity-answers.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import { isCounted, readQueries, readSearch } from './identity-queries.js';
import {
  EMAIL,
  ID,
  textOf,
  type IdentityContext,
  type IdentityReply,
  type IdentityRequest,
} from './identity-request.js';
import { newId, type StoredUser } from './identity-store.js';

// Handlers for a server with a key, which manages all accounts: `/users`.

/**
 * Lists users. `total` is the number of matches, not of users on the page.
 *
 * @see docs/protocol/appwrite.md 5.8 (source)
 */
export function listUsers({ store }: IdentityContext, { query }: IdentityRequest): IdentityReply {
  const { matches, limit, offset } = readQueries(query);
  const search = readSearch(query);
  const found = store.users.filter((user) => search(user) && matches.every((isMatch) => isMatch(user)));
  const shown = found.slice(offset, offset + limit);
  return { status: 200, body: { total: isCounted(query) ? found.length : 0, users: shown.map(userAnswer) } };
}

export function createUser({ store }: IdentityContext, { body }: IdentityRequest): IdentityReply {
  const userId = textOf(body, 'userId', (value) => value === 'unique()' || ID.test(value));
  const email = textOf(body, 'email', (value) => EMAIL.test(value)).toLowerCase();
  if (store.user(userId) !== undefined || store.userByEmail(email) !== undefined) {
    throw new IdentityError('user_already_exists');
  }
  return { status: 201, body: userAnswer(store.addUser(userId === 'unique()' ? newId() : userId, email)) };
}

export function namedUser(
  { store }: IdentityContext,
  { parameters: [id = ''] }: IdentityRequest,
): StoredUser {
  const user = store.user(id);
  if (user === undefined) throw new IdentityError('user_not_found');
  return user;
}

export function deleteUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteUser(namedUser(context, request).id);
  return { status: 204 };
}

export function changeStatus(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  if (typeof request.body.status !== 'boolean') throw invalidParameter('status');
  user.isEnabled = request.body.status;
  return { status: 200, body: userAnswer(user) };
}

/**
 * Lists sessions. The secret here is a hash and cannot be used to sign in.
 *
 * @see docs/protocol/appwrite.md 5.3 (source)
 */
export function sessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const sessions = context.store
    .sessionsOf(namedUser(context, request).id)
    .map((session) => sessionAnswer(session, { secret: session.secretHash, isCurrent: false }));
  return { status: 200, body: { total: isCounted(request.query) ? sessions.length : 0, sessions } };
}

export function createSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return newSession(context.store, namedUser(context, request), request.caller, 'server');
}

export function endSessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSessionsOf(namedUser(context, request).id);
  return { status: 204 };
}

export function endSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  const session = context.store.sessionsOf(user.id).find(({ id }) => id === request.parameters[1]);
  if (session === undefined) throw new IdentityError('user_session_not_found');
  context.store.deleteSession(session.id);
  return { status: 204 };
}

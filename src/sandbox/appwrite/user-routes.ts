import { newSession } from './account-routes.js';
import { sessionAnswer, userAnswer } from './identity-answers.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import { isCounted, readQueries, readSearch } from './identity-queries.js';
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

const KEYS_ONLY = { isForKeysOnly: true } as const;

/** The routes for a server with a key, which manages all accounts. @see docs/protocol/appwrite.md 11 */
export const USER_ROUTES: readonly IdentityRoute[] = [
  route('GET', '/users/?', ['users.read'], listUsers),
  route('POST', '/users', ['users.write'], createUser),
  route('GET', '/users/{id}', ['users.read'], (context, request) => ({
    body: userAnswer(namedUser(context, request)),
  })),
  route('DELETE', '/users/{id}', ['users.write'], deleteUser),
  route('PATCH', '/users/{id}/status', ['users.write'], changeStatus),
  route('GET', '/users/{id}/sessions', ['users.read', 'sessions.read'], sessionsOfUser, KEYS_ONLY),
  route('POST', '/users/{id}/sessions', ['users.write', 'sessions.write'], createSessionOfUser, KEYS_ONLY),
  route('DELETE', '/users/{id}/sessions', ['users.write', 'sessions.write'], endSessionsOfUser, KEYS_ONLY),
  route(
    'DELETE',
    '/users/{id}/sessions/{session}',
    ['users.write', 'sessions.write'],
    endSessionOfUser,
    KEYS_ONLY,
  ),
];

/**
 * Lists users. `total` is the number of matches, not of users on the page.
 *
 * @see docs/protocol/appwrite.md 5.8 (source)
 */
function listUsers({ store }: IdentityContext, { query }: IdentityRequest): IdentityReply {
  const { matches, limit, offset } = readQueries(query);
  const search = readSearch(query);
  const found = store.users.filter((user) => search(user) && matches.every((isMatch) => isMatch(user)));
  const shown = found.slice(offset, offset + limit);
  return { body: { total: isCounted(query) ? found.length : 0, users: shown.map(userAnswer) } };
}

function createUser({ store }: IdentityContext, { body }: IdentityRequest): IdentityReply {
  const userId = textOf(body, 'userId', (value) => value === 'unique()' || ID.test(value));
  const email = textOf(body, 'email', (value) => EMAIL.test(value)).toLowerCase();
  if (store.user(userId) !== undefined || store.userByEmail(email) !== undefined)
    throw new IdentityError('user_already_exists');
  return { status: 201, body: userAnswer(store.addUser(userId === 'unique()' ? newId() : userId, email)) };
}

function namedUser({ store }: IdentityContext, { parameters: [id = ''] }: IdentityRequest): StoredUser {
  const user = store.user(id);
  if (user === undefined) throw new IdentityError('user_not_found');
  return user;
}

function deleteUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteUser(namedUser(context, request).id);
  return {};
}

function changeStatus(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  if (typeof request.body.status !== 'boolean') throw invalidParameter('status');
  user.isEnabled = request.body.status;
  return { body: userAnswer(user) };
}

/**
 * Lists sessions. The secret here is a hash and cannot be used to sign in.
 *
 * @see docs/protocol/appwrite.md 5.3 (source)
 */
function sessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const sessions = context.store
    .sessionsOf(namedUser(context, request).id)
    .map((session) => sessionAnswer(session, { secret: session.secretHash, isCurrent: false }));
  return { body: { total: isCounted(request.query) ? sessions.length : 0, sessions } };
}

function createSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  return newSession(context.store, namedUser(context, request), request.caller, 'server');
}

function endSessionsOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  context.store.deleteSessionsOf(namedUser(context, request).id);
  return {};
}

function endSessionOfUser(context: IdentityContext, request: IdentityRequest): IdentityReply {
  const user = namedUser(context, request);
  const session = context.store.sessionsOf(user.id).find(({ id }) => id === request.parameters[1]);
  if (session === undefined) throw new IdentityError('user_session_not_found');
  context.store.deleteSession(session.id);
  return {};
}

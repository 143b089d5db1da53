import { userAnswer } from './identity-answers.js';
import { IdentityError, invalidParameter } from './identity-error.js';
import {
  route,
  type IdentityContext,
  type IdentityReply,
  type IdentityRequest,
  type IdentityRoute,
} from './identity-request.js';
import type { StoredUser } from './identity-store.js';

/** The routes for a server with a key, which manages all accounts. @see docs/protocol/appwrite.md 11 */
export const USER_ROUTES: readonly IdentityRoute[] = [
  route('GET', '/users/?', 'users.read', listUsers),
  route('GET', '/users/{id}', 'users.read', (context, request) => ({
    body: userAnswer(namedUser(context, request)),
  })),
  route('DELETE', '/users/{id}', 'users.write', deleteUser),
  route('PATCH', '/users/{id}/status', 'users.write', changeStatus),
  route('DELETE', '/users/{id}/sessions', 'users.write', endSessionsOfUser),
  route('DELETE', '/users/{id}/sessions/{session}', 'users.write', endSessionOfUser),
];

/** @see docs/protocol/appwrite.md 5.8 (source) */
const PAGE_SIZE = 25;

/**
 * Lists the first users. Of the queries only `limit` is supported. The total is 0 if it is not asked for.
 *
 * @see docs/protocol/appwrite.md 5.8 (source)
 */
function listUsers({ store }: IdentityContext, { query }: IdentityRequest): IdentityReply {
  const queries = [...query].filter(([name]) => name.startsWith('queries['));
  const limit = queries.reduce((_previous, [, text]) => readLimit(text), PAGE_SIZE);
  const total = query.get('total') === 'false' ? 0 : store.users.length;
  return { body: { total, users: store.users.slice(0, limit).map(userAnswer) } };
}

function readLimit(text: string): number {
  try {
    const { method, values } = JSON.parse(text) as { method: unknown; values: readonly unknown[] };
    const [first] = values;
    if (method === 'limit' && typeof first === 'number' && first >= 0) return first;
  } catch {
    // Falls through to the same error.
  }
  throw new IdentityError('general_query_invalid');
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

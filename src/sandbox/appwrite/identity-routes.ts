import {
  endOwnSession,
  endOwnSessions,
  exchange,
  ownSession,
  ownSessions,
  ownUser,
  prolongOwnSession,
  sendMagicUrl,
} from './account-handlers.js';
import { accountAnswer, userAnswer } from './identity-answers.js';
import type { IdentityLimit, IdentityRoute } from './identity-request.js';
import {
  changeStatus,
  createSessionOfUser,
  createUser,
  deleteUser,
  endSessionOfUser,
  endSessionsOfUser,
  listUsers,
  namedUser,
  sessionsOfUser,
} from './user-handlers.js';

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

import type { IncomingHttpHeaders } from 'node:http';
import { IdentityError } from './identity-error.js';
import type { IdentityStore, StoredSession, StoredUser } from './identity-store.js';

/** What a caller may do. A key never has the scope `account`, and a session never has a key's scopes. */
export type IdentityScope = 'sessions.write' | 'users.read' | 'users.write' | 'account';

/** What the credentials of a request are compared with. */
export interface IdentityProject {
  readonly store: IdentityStore;
  readonly projectId: string;
  readonly apiKey: string;
}

/** The caller of a request: with a key, with a session, or a guest. */
export interface IdentityCaller {
  readonly hasKey: boolean;
  readonly scopes: readonly IdentityScope[];
  readonly session: StoredSession | undefined;
  readonly user: StoredUser | undefined;
  readonly userAgent: string;
  /** The language of mails, such as `de`. @see docs/protocol/appwrite.md 5.2 (source) */
  readonly locale: string;
}

/**
 * Identifies the caller, in the same order as Appwrite: session, project, key.
 *
 * @throws {IdentityError} unknown project, unknown key
 * @see docs/protocol/appwrite.md 2.5, 3 (source)
 */
export function identifyCaller(
  headers: IncomingHttpHeaders,
  { store, projectId, apiKey }: IdentityProject,
): IdentityCaller {
  const session = sessionOf(text(headers['x-appwrite-session']), store);
  if (text(headers['x-appwrite-project']) !== projectId) throw new IdentityError('project_not_found');
  const hasKey = isKey(text(headers['x-appwrite-key']), apiKey);
  return {
    hasKey,
    scopes: hasKey
      ? ['sessions.write', 'users.read', 'users.write']
      : session === undefined
        ? ['sessions.write']
        : ['sessions.write', 'account'],
    session,
    user: session && store.user(session.userId),
    userAgent: (hasKey && text(headers['x-forwarded-user-agent'])) || text(headers['user-agent']),
    locale: text(headers['x-appwrite-locale']),
  };
}

/**
 * Decodes a session secret, which is `{"id","secret"}` in base64. With anything else, the caller is a guest. (source)
 */
function sessionOf(encoded: string, store: IdentityStore): StoredSession | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  try {
    const { id, secret } = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as Record<
      string,
      unknown
    >;
    return typeof id === 'string' && typeof secret === 'string' ? store.sessionOf(id, secret) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the caller has the key. With an unknown prefix before the first underscore, the caller is silently a guest.
 * Other unknown keys are refused. (source)
 */
function isKey(given: string, apiKey: string): boolean {
  if (given === apiKey) return true;
  if (given === '' || (given.includes('_') && !given.startsWith('standard_'))) return false;
  throw new IdentityError('user_unauthorized');
}

/** Encodes the session secret, for callers with a key and for cookies. @see docs/protocol/appwrite.md 7.3 (source) */
export function encodeSessionSecret(userId: string, secret: string): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64');
}

function text(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

import { IdentityError } from './identity-error.js';
import type { StoredUser } from './identity-store.js';

/** What a list of users is asked for. */
export interface UserQuery {
  /** All of them must hold. */
  readonly matches: readonly ((user: StoredUser) => boolean)[];
  readonly limit: number;
  readonly offset: number;
}

/** @see docs/protocol/appwrite.md 5.8 (source) */
const PAGE_SIZE = 25;

const ATTRIBUTES: ReadonlyMap<unknown, (user: StoredUser) => unknown> = new Map<
  unknown,
  (user: StoredUser) => unknown
>([
  ['$id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['status', ({ isEnabled }) => isEnabled],
  ['emailVerification', ({ isEmailVerified }) => isEmailVerified],
]);

/**
 * Reads the queries of a list, in any order: `equal`, `limit` and `offset` are what is asked here.
 *
 * @throws {IdentityError} `general_query_invalid` for anything else
 * @see docs/protocol/appwrite.md 5.8 (measured)
 */
export function readQueries(texts: readonly string[]): UserQuery {
  return texts.map(readQuery).reduce<UserQuery>(withQuery, { matches: [], limit: PAGE_SIZE, offset: 0 });
}

interface Query {
  readonly method: unknown;
  readonly attribute: unknown;
  readonly values: readonly unknown[];
}

function withQuery(query: UserQuery, { method, attribute, values }: Query): UserQuery {
  const [first] = values;
  if (method === 'limit' && isCount(first)) return { ...query, limit: first };
  if (method === 'offset' && isCount(first)) return { ...query, offset: first };
  const read = ATTRIBUTES.get(attribute);
  if (method !== 'equal' || read === undefined) throw new IdentityError('general_query_invalid');
  return { ...query, matches: [...query.matches, (user) => values.includes(read(user))] };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readQuery(text: string): Query {
  try {
    const { method, attribute, values } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (Array.isArray(values)) return { method, attribute, values };
  } catch {
    // Falls through to the same refusal.
  }
  throw new IdentityError('general_query_invalid');
}

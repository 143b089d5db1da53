import { IdentityError, invalidParameter } from './identity-error.js';
import type { StoredUser } from './identity-store.js';

/** The filters and paging of a user list. */
export interface UserQuery {
  /** A user must match all of them. */
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

const [MOST_QUERIES, LONGEST_QUERY, LONGEST_SEARCH] = [100, 4096, 256];

/**
 * Reads the queries of a list, in any order. Only `equal`, `limit` and `offset` are supported.
 *
 * @throws {IdentityError} `general_query_invalid` for other queries, `general_argument_invalid` for too many or too
 * long ones
 * @see docs/protocol/appwrite.md 5.8 (measured, specification)
 */
export function readQueries(query: URLSearchParams): UserQuery {
  const texts = [...query].filter(([name]) => name.startsWith('queries[')).map(([, value]) => value);
  if (texts.length > MOST_QUERIES || texts.some(({ length }) => length > LONGEST_QUERY))
    throw invalidParameter('queries');
  return texts.map(readQuery).reduce<UserQuery>(withQuery, { matches: [], limit: PAGE_SIZE, offset: 0 });
}

/**
 * Reads the search of a user list: a part of the ID or address, case-insensitive.
 *
 * @throws {IdentityError} `general_argument_invalid`: longer than 256 characters
 */
export function readSearch(query: URLSearchParams): (user: StoredUser) => boolean {
  const search = (query.get('search') ?? '').toLowerCase();
  if (search.length > LONGEST_SEARCH) throw invalidParameter('search');
  return ({ id, email }) => `${id} ${email}`.toLowerCase().includes(search);
}

/**
 * Whether a list should include its total. Otherwise the total is 0.
 *
 * @throws {IdentityError} `general_argument_invalid`: not a boolean
 */
export function isCounted(query: URLSearchParams): boolean {
  const total = query.get('total') ?? 'true';
  if (!/^(?:true|false|1|0)$/.test(total)) throw invalidParameter('total');
  return total === 'true' || total === '1';
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
    // Falls through to the same error.
  }
  throw new IdentityError('general_query_invalid');
}

import * as z from 'zod';
import {
  argument,
  listOfObjects,
  options,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { ProblemError } from '../../../domain/errors/problem-error.js';
import { anyText, dateOrBlank, names, nonBlankText } from './argument-values.js';
import { optionalInteger, renamed, requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { RIGHTS, RightsRow, toRightsRow, type RightsChange, type RightsHolder } from './rights.js';

/**
 * A REDCap user name.
 * @pattern ^[^\u0000-\u001f\u007f,]+$ must be a user name, without commas and control characters
 * @minLength 1
 * @maxLength 255
 * @example "ada.lovelace"
 */
export type UsernameText = string;

/** A user of the project, as listed by REDCap. */
export interface ProjectUser {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The expiration date, `YYYY-MM-DD`; empty for no expiration. */
  readonly expiration: string;
  /** The unique name of the user's data access group; empty for none. */
  readonly dag: string;
}

/** A user of the project. The rights are those of the user's role, if there is one. */
export interface UserRights extends ProjectUser, RightsHolder {
  /**
   * The number of the group. REDCap 13.1 or later.
   * @isInt
   */
  readonly dagId?: number | undefined;
}

/** A user to add or change. For an existing user, omitted rights are unchanged; a new user has no other rights. */
export interface UserRightsChange extends RightsChange {
  readonly username: UsernameText;
  /**
   * The expiration date, `YYYY-MM-DD`; empty for no expiration.
   * @pattern ^(\d{4}-\d{2}-\d{2})?$ must be a date, as in 2026-01-31, or empty
   */
  readonly expiration?: string;
  /**
   * The unique name of a data access group; empty for none.
   * @maxLength 100
   */
  readonly dag?: string;
  /** Ignored: it belongs to the account. */
  readonly email?: string;
  /** Ignored: it belongs to the account. */
  readonly firstName?: string;
  /** Ignored: it belongs to the account. */
  readonly lastName?: string;
  /**
   * Ignored: `dag` names the group.
   * @isInt
   */
  readonly dagId?: number;
}

export const USER_COLUMNS = {
  username: ['username', requiredText],
  email: ['email', text],
  firstName: ['firstname', text],
  lastName: ['lastname', text],
  expiration: ['expiration', text],
  dag: ['data_access_group', text],
  dagId: ['data_access_group_id', optionalInteger],
} as const;

const UserRow = renamed(USER_COLUMNS);

const UserRightsRows: z.ZodType<UserRights[]> = z.array(z.intersection(UserRow, RightsRow));

/** `content=user`. @see docs/protocol/redcap.md 10.3 (client, doc) */
export class Users {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns every user of the project, with the rights of their role if they have one. */
  list(options: CallOptions = {}): Promise<UserRights[]> {
    return this.calls.ask({ content: 'user' }, UserRightsRows, options);
  }

  /** @returns how many users were added or changed */
  async put(users: readonly OrUndefined<UserRightsChange>[], options: WriteOptions = {}): Promise<number> {
    const rows = users.map(({ username, expiration, dag, ...rights }) => ({
      username,
      expiration,
      data_access_group: dag,
      ...toRightsRow(rights),
    }));
    return this.calls.import('user', rows, options, { isRepeatable: true });
  }

  /**
   * Removes users from the project.
   *
   * @returns how many were removed
   * @throws {ProblemError} `name_not_found`: the project does not have all of them; the others are removed
   */
  async delete(usernames: readonly string[], options: WriteOptions = {}): Promise<number> {
    return this.calls.delete('user', ['user', 'users'], usernames, options);
  }
}

const USER = {
  ...RIGHTS,
  username: nonBlankText,
  expiration: dateOrBlank.optional(),
  dag: anyText.optional(),
  email: z.custom<string>().optional(),
  firstName: z.custom<string>().optional(),
  lastName: z.custom<string>().optional(),
  dagId: z.custom<number>().optional(),
} satisfies Shape<UserRightsChange>;

export const USERS = content(Users, {
  list: [options(CALL)],
  put: [listOfObjects('users', USER), options(WRITE)],
  delete: [argument('users', names), options(WRITE)],
});

/**
 * Finds the one user with an email address, compared case-insensitively. Several rows of one user (events, repeat
 * instances) count as one user.
 *
 * @param idOf returns what tells users apart
 * @throws {ProblemError} `user_not_found`: no user has the address
 * @throws {ProblemError} `ambiguous_user`: several user ids have it; guessing could give one person another person's
 *   data
 */
export function userOfEmail<User extends { readonly email: string }>(
  users: readonly User[],
  email: string,
  idOf: (user: User) => string,
): User {
  const address = email.toLowerCase();
  const matches = users.filter((user) => user.email.toLowerCase() === address);
  const [user] = matches;
  if (user === undefined) throw new ProblemError('user_not_found');
  if (matches.some((match) => idOf(match) !== idOf(user))) throw new ProblemError('ambiguous_user');
  return user;
}

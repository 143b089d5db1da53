import * as z from 'zod';
import { argument, listOfObjects, options, type Shape } from '../../../domain/identifiers/check-options.js';
import { anyText, dateOrBlank, names, nonBlankText } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import { optionalInteger, renamed, requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { RIGHTS, RightsRow, toRightsRow, type RightsChange, type RightsHolder } from './rights.js';

/** A user of the project, as listed by REDCap. */
export interface ProjectUser {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** `YYYY-MM-DD`, or empty if access does not expire. */
  readonly expiration: string;
  readonly dataAccessGroup: string;
}

/** A user of the project with their rights. */
export interface UserRights extends ProjectUser, RightsHolder {
  /** REDCap 13.1 and later. */
  readonly dataAccessGroupId: number | undefined;
}

/**
 * A user to add or to change. For an existing user, omitted values stay unchanged; a new user has no rights other than
 * the given ones.
 */
export interface UserRightsChange extends RightsChange {
  readonly username: string;
  /** `YYYY-MM-DD`; blank ends the expiration. */
  readonly expiration?: string | undefined;
  /** The unique name of a data access group; blank takes the user out of the group. */
  readonly dataAccessGroup?: string | undefined;
}

const UserRow = renamed({
  username: ['username', requiredText],
  email: ['email', text],
  firstName: ['firstname', text],
  lastName: ['lastname', text],
  expiration: ['expiration', text],
  dataAccessGroup: ['data_access_group', text],
  dataAccessGroupId: ['data_access_group_id', optionalInteger],
});

const UserRightsRows: z.ZodType<UserRights[]> = z.array(z.intersection(UserRow, RightsRow));

/** `content=user`. @see docs/protocol/redcap.md 10.3 (client, doc) */
export class Users {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns every user of the project, with the rights of their role if they have one. */
  export(options: CallOptions = {}): Promise<UserRights[]> {
    return this.calls.ask({ content: 'user' }, UserRightsRows, options);
  }

  /** @returns how many users were added or changed */
  async import(users: readonly UserRightsChange[], options: CallOptions = {}): Promise<number> {
    const rows = users.map(({ username, expiration, dataAccessGroup, ...rights }) => ({
      username,
      expiration,
      data_access_group: dataAccessGroup,
      ...toRightsRow(rights),
    }));
    const parameters = { content: 'user', action: 'import', data: JSON.stringify(rows) };
    return this.calls.count(parameters, options, { isRepeatable: true });
  }

  /** Removes users from the project; unknown ones are ignored. @returns how many were removed */
  async delete(usernames: readonly string[], options: CallOptions = {}): Promise<number> {
    return this.calls.count({ content: 'user', action: 'delete', users: usernames }, options);
  }
}

/** What REDCap only exports is ignored, so that exported users can be imported. */
const USER = {
  ...RIGHTS,
  username: nonBlankText,
  expiration: dateOrBlank.optional(),
  dataAccessGroup: anyText.optional(),
  email: z.unknown().optional(),
  firstName: z.unknown().optional(),
  lastName: z.unknown().optional(),
  dataAccessGroupId: z.unknown().optional(),
} satisfies Shape<UserRightsChange> &
  Shape<Record<Exclude<keyof UserRights, keyof UserRightsChange>, unknown>>;

export const USERS = content(Users, {
  export: [options(CALL)],
  import: [listOfObjects('users', USER), options(CALL)],
  delete: [argument('users', names), options(CALL)],
});

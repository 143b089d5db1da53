import { z } from 'zod';
import type { CallOptions } from '../call-options.js';
import { optionalInteger, requiredText, text } from './answer-values.js';
import type { ContentCalls } from './content-calls.js';
import { namedList, rowsToSend } from './named-list.js';
import { toRightsRow, withRights, type RightsHolder } from './rights.js';

/** A user of the project, as REDCap's own user list has them. */
export interface ProjectUser {
  /** The user name. */
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** `YYYY-MM-DD`, or empty for never. */
  readonly expiration: string;
  readonly dataAccessGroup: string;
}

/** A user of the project with what they may do. */
export interface UserRights extends ProjectUser, RightsHolder {
  /** From REDCap 13.1 on. */
  readonly dataAccessGroupId: number | undefined;
}

/** A user to add or to change. Of a user who exists, what is not given stays; a new one has no other rights. */
export interface UserRightsChange extends Partial<RightsHolder> {
  readonly username: string;
  /** `YYYY-MM-DD`. */
  readonly expiration?: string | undefined;
  /** The unique name of a data access group. */
  readonly dataAccessGroup?: string | undefined;
}

const UserRow = z.object({
  username: requiredText,
  email: text,
  firstname: text,
  lastname: text,
  expiration: text,
  data_access_group: text,
  data_access_group_id: optionalInteger,
});

const UserRightsRows: z.ZodType<UserRights[]> = z.array(
  withRights((given) => {
    const row = UserRow.parse(given);
    return {
      id: row.username,
      email: row.email,
      firstName: row.firstname,
      lastName: row.lastname,
      expiration: row.expiration,
      dataAccessGroup: row.data_access_group,
      dataAccessGroupId: row.data_access_group_id,
    };
  }),
);

/** `content=user`. @see docs/protocol/redcap.md 10.3 (client, doc) */
export class Users {
  constructor(private readonly calls: ContentCalls) {}

  /** Every user of the project, with the rights of their role where they have one. */
  export(options: CallOptions = {}): Promise<UserRights[]> {
    return this.calls.ask({ content: 'user' }, UserRightsRows, options);
  }

  /** @returns how many users were added or changed */
  async import(users: readonly UserRightsChange[], options: CallOptions = {}): Promise<number> {
    const rows = users.map(({ username, expiration, dataAccessGroup, ...rights }) => ({
      username,
      ...(expiration !== undefined && { expiration }),
      ...(dataAccessGroup !== undefined && { data_access_group: dataAccessGroup }),
      ...toRightsRow(rights),
    }));
    const parameters = { content: 'user', action: 'import', data: rowsToSend('users', rows) };
    return this.calls.count(parameters, options, { isRepeatable: true });
  }

  /** Removes users from the project; those it does not have are passed over. @returns how many were removed */
  async delete(usernames: readonly string[], options: CallOptions = {}): Promise<number> {
    const users = namedList('users', usernames);
    return this.calls.count({ content: 'user', action: 'delete', users }, options);
  }
}

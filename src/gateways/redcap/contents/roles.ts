import * as z from 'zod';
import {
  argument,
  listOfObjects,
  options,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { anyText, names, nonBlankText, type LabelText } from './argument-values.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { renamed, requiredText, text, wireRows } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { RIGHTS, RightsRow, toRightsRow, type RightsChange, type RightsHolder } from './rights.js';

/**
 * The unique name of a role.
 * @pattern ^U-[A-Za-z0-9]+$ must be the unique name of a role, as in U-527D39JXAC
 * @maxLength 100
 * @example "U-527D39JXAC"
 */
export type RoleNameText = string;

/** A role: a set of rights that several users share. */
export interface UserRole extends RightsHolder {
  /** `U-` followed by ten capital letters or digits. */
  readonly uniqueName: string;
  /** The name shown to people. */
  readonly label: string;
}

/** A role to create or change. */
export interface UserRoleChange extends RightsChange {
  readonly label: LabelText;
  /**
   * The unique name of a role. Without it, or if no role has it, the role with this label is changed, or a new one is
   * created.
   */
  readonly uniqueName?: RoleNameText;
}

/** The role of a user. */
export interface UserRoleAssignment {
  readonly username: string;
  /** The unique name of the role; empty for none. */
  readonly role: string;
}

const RoleRow = renamed({ uniqueName: ['unique_role_name', requiredText], label: ['role_label', text] });

const RoleRows: z.ZodType<UserRole[]> = z.array(z.intersection(RoleRow, RightsRow));

export const ROLE_ASSIGNMENT_COLUMNS = {
  username: ['username', requiredText],
  role: ['unique_role_name', text],
} as const;

const AssignmentRows: z.ZodType<UserRoleAssignment[]> = z.array(renamed(ROLE_ASSIGNMENT_COLUMNS));

/** `content=userRole`. @see docs/protocol/redcap.md 10.4 (client) */
export class Roles {
  constructor(private readonly calls: ContentCalls) {}

  list(options: CallOptions = {}): Promise<UserRole[]> {
    return this.calls.ask({ content: 'userRole' }, RoleRows, options);
  }

  /**
   * Creates and changes roles. Retried after a failure only if every role has a unique name; otherwise a role could be
   * created twice.
   *
   * @returns how many roles were created or changed
   */
  async put(roles: readonly OrUndefined<UserRoleChange>[], options: WriteOptions = {}): Promise<number> {
    const rows = roles.map(({ label, uniqueName = '', ...rights }) => ({
      unique_role_name: uniqueName,
      role_label: label,
      ...toRightsRow(rights),
    }));
    const isRepeatable = roles.every(({ uniqueName }) => uniqueName !== undefined && uniqueName !== '');
    return this.calls.import('userRole', rows, options, { isRepeatable });
  }

  /**
   * Deletes roles by their unique names. Their users then have no role.
   *
   * @returns how many were deleted
   * @throws {ProblemError} `name_not_found`: the project does not have all of them; the others are deleted
   */
  async delete(uniqueNames: readonly string[], options: WriteOptions = {}): Promise<number> {
    return this.calls.delete('role', ['userRole', 'roles'], uniqueNames, options);
  }
}

/** `content=userRoleMapping`. @see docs/protocol/redcap.md 10.5 (client) */
export class RoleAssignments {
  constructor(private readonly calls: ContentCalls) {}

  list(options: CallOptions = {}): Promise<UserRoleAssignment[]> {
    return this.calls.ask({ content: 'userRoleMapping' }, AssignmentRows, options);
  }

  /** @returns how many users were assigned */
  async put(assignments: readonly UserRoleAssignment[], options: WriteOptions = {}): Promise<number> {
    const rows = wireRows(ROLE_ASSIGNMENT_COLUMNS, assignments);
    return this.calls.import('userRoleMapping', rows, options, { isRepeatable: true });
  }
}

const ROLE = {
  ...RIGHTS,
  label: nonBlankText,
  uniqueName: anyText.optional(),
} satisfies Shape<UserRoleChange>;

const ASSIGNMENT = { username: nonBlankText, role: anyText } satisfies Shape<UserRoleAssignment>;

export const ROLES = content(Roles, {
  list: [options(CALL)],
  put: [listOfObjects('roles', ROLE), options(WRITE)],
  delete: [argument('roles', names), options(WRITE)],
});

export const ROLE_ASSIGNMENTS = content(RoleAssignments, {
  list: [options(CALL)],
  put: [listOfObjects('assignments', ASSIGNMENT), options(WRITE)],
});

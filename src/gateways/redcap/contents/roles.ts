import * as z from 'zod';
import { checkArguments, listOfObjects, options } from '../../../errors/check-arguments.js';
import { checkedLater, type OptionRules } from '../../../errors/check-options.js';
import { CALL } from '../call-rules.js';
import type { CallOptions } from '../call-options.js';
import { requiredText, text } from './answer-values.js';
import { anyText, requiredName } from './checked-values.js';
import type { ContentCalls } from './content-calls.js';
import { namedList, rowsToSend } from './named-list.js';
import { RightsRow, toRightsRow, type RightsHolder } from './rights.js';

/** A role: rights that several users share. */
export interface UserRole extends RightsHolder {
  /** `U-` and ten capital letters or digits. */
  readonly uniqueName: string;
  /** The display name. */
  readonly label: string;
}

/** A role to create, or to change if it has a unique name. */
export interface UserRoleChange extends Partial<RightsHolder> {
  readonly label: string;
  readonly uniqueName?: string | undefined;
}

/** The role of a user. */
export interface UserRoleAssignment {
  readonly username: string;
  /** The unique name of the role; empty for none. */
  readonly role: string;
}

const RoleRow = z
  .object({ unique_role_name: requiredText, role_label: text })
  .transform((row) => ({ uniqueName: row.unique_role_name, label: row.role_label }));

const RoleRows: z.ZodType<UserRole[]> = z.array(z.intersection(RoleRow, RightsRow));

const AssignmentRows: z.ZodType<UserRoleAssignment[]> = z.array(
  z
    .object({ username: requiredText, unique_role_name: text })
    .transform((row) => ({ username: row.username, role: row.unique_role_name })),
);

/** `content=userRole` and `content=userRoleMapping`. @see docs/protocol/redcap.md 10.4, 10.5 (client) */
export class Roles {
  constructor(private readonly calls: ContentCalls) {}

  export(options: CallOptions = {}): Promise<UserRole[]> {
    return this.calls.ask({ content: 'userRole' }, RoleRows, options);
  }

  /**
   * Creates and changes roles. Retried after a failure only if every role has a unique name; otherwise a role could be
   * created twice.
   *
   * @returns how many roles were created or changed
   */
  async import(roles: readonly UserRoleChange[], options: CallOptions = {}): Promise<number> {
    const rows = roles.map(({ label, uniqueName = '', ...rights }, index) => ({
      unique_role_name: anyText(`roles[${index}].uniqueName`, uniqueName),
      role_label: requiredName(`roles[${index}].label`, label),
      ...toRightsRow(`roles[${index}]`, rights),
    }));
    const isRepeatable = roles.every(({ uniqueName }) => uniqueName !== undefined && uniqueName !== '');
    const parameters = { content: 'userRole', action: 'import', data: rowsToSend('roles', rows) };
    return this.calls.count(parameters, options, { isRepeatable });
  }

  /** Deletes roles by their unique names. Their users then have no role. @returns how many were deleted */
  async delete(uniqueNames: readonly string[], options: CallOptions = {}): Promise<number> {
    const roles = namedList('roles', uniqueNames);
    return this.calls.count({ content: 'userRole', action: 'delete', roles }, options);
  }

  exportAssignments(options: CallOptions = {}): Promise<UserRoleAssignment[]> {
    return this.calls.ask({ content: 'userRoleMapping' }, AssignmentRows, options);
  }

  /** @returns how many users were assigned */
  async importAssignments(
    assignments: readonly UserRoleAssignment[],
    options: CallOptions = {},
  ): Promise<number> {
    const rows = assignments.map(({ username, role }, index) => ({
      username: requiredName(`assignments[${index}].username`, username),
      unique_role_name: anyText(`assignments[${index}].role`, role),
    }));
    const parameters = {
      content: 'userRoleMapping',
      action: 'import',
      data: rowsToSend('assignments', rows),
    };
    return this.calls.count(parameters, options, { isRepeatable: true });
  }
}

const ROLE = {
  label: checkedLater,
  uniqueName: checkedLater,
  rights: checkedLater,
  forms: checkedLater,
  formsExport: checkedLater,
} satisfies OptionRules<keyof UserRoleChange>;

const ASSIGNMENT = {
  username: checkedLater,
  role: checkedLater,
} satisfies OptionRules<keyof UserRoleAssignment>;

checkArguments(Roles, {
  export: [options(CALL)],
  import: [listOfObjects('roles', ROLE), options(CALL)],
  delete: [null, options(CALL)],
  exportAssignments: [options(CALL)],
  importAssignments: [listOfObjects('assignments', ASSIGNMENT), options(CALL)],
});

import {
  Body,
  Delete,
  Example,
  Get,
  Header,
  Path,
  Put,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EntityTagsText } from '../http/entity-tag.js';
import type { RoleNameText, UsernameText, UserRole, UserRoleChange } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The roles. */
export interface RolesResponse {
  data: UserRole[];
}

/** Roles to create or change. */
export interface PutRolesRequest {
  /**
   * The roles. Roles that are not listed are unchanged.
   * @minItems 1
   * @example [{ "label": "Monitor", "rights": { "api_export": 1 }, "forms": { "demographics": 129 } }]
   */
  data: UserRoleChange[];
}

/** The role of each user. */
export interface RoleAssignmentsResponse {
  data: RoleAssignmentResponse[];
}

/** A user and their role. */
export interface RoleAssignmentResponse {
  username: string;
  /** The unique name of the role; empty for none. */
  role: string;
  /** The label of the role; empty for none. */
  roleLabel: string;
}

/** Roles to assign to users. */
export interface PutRoleAssignmentsRequest {
  /**
   * The assignments. Users who are not listed keep their role.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "role": "U-527D39JXAC" }]
   */
  data: RoleAssignmentEntry[];
}

/** A user and their role. */
export interface RoleAssignmentEntry {
  username: UsernameText;
  /**
   * The unique name of the role; empty for none.
   * @maxLength 100
   * @example "U-527D39JXAC"
   */
  role: string;
  /**
   * The label of the role, which is looked for if the project has no role of this unique name; empty for none.
   * @maxLength 1000
   * @example "Monitor"
   */
  roleLabel?: string;
}

@Route('api/v1/project')
@Tags('People')
@Security('apiKey', ['users:read'])
export class RolesController extends CrfController {
  /**
   * Returns the roles of the project, in REDCap's order, with the rights that they grant.
   * @summary List the roles
   */
  @Get('roles')
  @SuccessResponse(200, 'The roles')
  async listRoles(): Promise<RolesResponse> {
    return sendUnlessKnown(this.request, { data: await this.crf.roles.list(this.call) }, 'no-store');
  }

  /**
   * Creates roles and changes existing ones. Roles that are not sent are unchanged. Without `uniqueName`, or
   * with that of another project, the role with the same label is changed, or a new one is created, so the request is
   * idempotent.
   * @summary Create or change roles
   */
  @Put('roles')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of roles that REDCap accepted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putRoles(
    @Body() body: PutRolesRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.roles.list(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('roles', body.data, options) };
  }

  /**
   * Deletes a role. Its users stay in the project, without a role.
   * @param role the unique name of the role
   * @summary Delete a role
   */
  @Delete('roles/{role}')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of roles that were deleted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async deleteRole(@Path() role: RoleNameText, @Query() dryRun?: boolean): Promise<ChangeResponse> {
    return { data: await this.crf.design.delete('roles', [role], { dryRun, ...this.call }) };
  }

  /**
   * Returns the role of each user, in REDCap's order; empty for users without a role.
   * @summary List the role assignments
   */
  @Get('role-assignments')
  @SuccessResponse(200, 'The assignments')
  @Example<RoleAssignmentsResponse>({
    data: [{ username: 'ada.lovelace', role: 'U-527D39JXAC', roleLabel: 'Monitor' }],
  })
  async listRoleAssignments(): Promise<RoleAssignmentsResponse> {
    const data = await this.crf.design.roleAssignments(this.call);
    return sendUnlessKnown(this.request, { data }, 'no-store');
  }

  /**
   * Assigns roles to users; an empty role removes the assignment. Users who are not sent keep their role. The list of
   * another project can be sent: its roles are found by their labels. Idempotent.
   * @summary Assign roles to users
   */
  @Put('role-assignments')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were assigned')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putRoleAssignments(
    @Body() body: PutRoleAssignmentsRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.design.roleAssignments(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('role-assignments', body.data, options) };
  }
}

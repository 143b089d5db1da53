import {
  Body,
  Controller,
  Delete,
  Example,
  Get,
  Path,
  Put,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { UserRoleAssignment } from '../gateways/redcap/crf-client.js';
import type { RolesService } from '../services/project/roles-service.js';
import { callOptions } from './call-options.js';
import type { CountResponse } from './count-response.js';
import type { LabelText, RoleNameText, UsernameText } from './parameters.js';
import type { FormRightNumbers, RightNumbers } from './rights.js';
import { PROBLEM, type Problem } from './problem.js';

/** The roles. */
export interface RolesResponse {
  data: RoleResponse[];
}

/** A role: rights that several users share. */
export interface RoleResponse {
  /** `U-` and ten capitals or digits. */
  uniqueName: string;
  /** What people read. */
  label: string;
  rights: RightNumbers;
  forms: FormRightNumbers;
  formsExport: FormRightNumbers;
}

/** Roles to make, or to change. */
export interface PutRolesRequest {
  /**
   * Roles that are not sent stay.
   * @minItems 1
   * @example [{ "label": "Monitor", "rights": { "api_export": 1 }, "forms": { "demographics": 129 } }]
   */
  roles: RoleEntry[];
}

/** A role to make or to change. */
export interface RoleEntry {
  label: LabelText;
  /** The role that is meant; without it the one that has the label, or a new one. */
  uniqueName?: RoleNameText;
  rights?: RightNumbers;
  forms?: FormRightNumbers;
  formsExport?: FormRightNumbers;
}

/** Which user has which role. */
export interface RoleAssignmentsResponse {
  data: UserRoleAssignment[];
}

/** Users to give roles. */
export interface PutRoleAssignmentsRequest {
  /**
   * Users who are not sent keep theirs.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "role": "U-527D39JXAC" }]
   */
  assignments: RoleAssignmentEntry[];
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
}

@Route('api/v1/project')
@Tags('People')
export class RolesController extends Controller {
  constructor(private readonly roles: RolesService) {
    super();
  }

  /**
   * The roles of the project, with the rights that their users have.
   * @summary List the roles
   */
  @Get('roles')
  @Security('apiKey', ['users:read'])
  @Security('cookieAuth', ['users:read'])
  @SuccessResponse(200, 'The roles')
  async listRoles(@Request() request: ExpressRequest): Promise<RolesResponse> {
    return { data: await this.roles.list(callOptions(request)) };
  }

  /**
   * Makes roles and changes those that exist; others stay. A role without `uniqueName` is the one that has the label, or
   * else a new one: sent twice it comes to the same.
   * @summary Make or change roles
   */
  @Put('roles')
  @Security('apiKey', ['users:write'])
  @Security('cookieAuth', ['users:write'])
  @SuccessResponse(200, 'How many roles REDCap took')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async putRoles(@Request() request: ExpressRequest, @Body() body: PutRolesRequest): Promise<CountResponse> {
    return { data: { count: await this.roles.put(body.roles, callOptions(request)) } };
  }

  /**
   * Deletes a role. Its users stay in the project, and have no role then.
   * @param role the unique name of the role
   * @summary Delete a role
   */
  @Delete('roles/{role}')
  @Security('apiKey', ['users:write'])
  @Security('cookieAuth', ['users:write'])
  @SuccessResponse(200, 'How many roles were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async deleteRole(@Request() request: ExpressRequest, @Path() role: RoleNameText): Promise<CountResponse> {
    return { data: { count: await this.roles.delete(role, callOptions(request)) } };
  }

  /**
   * Which user has which role; an empty role is none.
   * @summary List who has which role
   */
  @Get('role-assignments')
  @Security('apiKey', ['users:read'])
  @Security('cookieAuth', ['users:read'])
  @SuccessResponse(200, 'The assignments')
  @Example<RoleAssignmentsResponse>({ data: [{ username: 'ada.lovelace', role: 'U-527D39JXAC' }] })
  async listRoleAssignments(@Request() request: ExpressRequest): Promise<RoleAssignmentsResponse> {
    return { data: await this.roles.listAssignments(callOptions(request)) };
  }

  /**
   * Gives users their roles, or with an empty role takes it away. Users who are not sent keep theirs. Sent twice it comes
   * to the same.
   * @summary Give users their roles
   */
  @Put('role-assignments')
  @Security('apiKey', ['users:write'])
  @Security('cookieAuth', ['users:write'])
  @SuccessResponse(200, 'How many users were assigned')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async putRoleAssignments(
    @Request() request: ExpressRequest,
    @Body() body: PutRoleAssignmentsRequest,
  ): Promise<CountResponse> {
    return { data: { count: await this.roles.putAssignments(body.assignments, callOptions(request)) } };
  }
}

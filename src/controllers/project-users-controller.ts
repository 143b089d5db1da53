import { Body, Delete, Example, Get, Path, Put, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { CountResponse, FormRightNumbers, RightNumbers, UsernameText } from './wire-types.js';

/** The users of the project. */
export interface ProjectUsersResponse {
  data: ProjectUserResponse[];
}

/** A user of the project. The rights are those of the user's role, if there is one. */
export interface ProjectUserResponse {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  /** The expiration date, `YYYY-MM-DD`; empty for no expiration. */
  expiration: string;
  /** The unique name of the user's data access group; empty for none. */
  dataAccessGroup: string;
  /**
   * The number of the group. REDCap 13.1 or later.
   * @isInt
   */
  dataAccessGroupId?: number;
  rights: RightNumbers;
  forms: FormRightNumbers;
  formsExport: FormRightNumbers;
}

/** Users to add or change. */
export interface PutProjectUsersRequest {
  /**
   * The users. Users who are not listed are unchanged.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "rights": { "api_export": 1 }, "forms": { "demographics": 129 } }]
   */
  users: ProjectUserEntry[];
}

/** A user to add or change. For an existing user, omitted rights are unchanged; a new user has no other rights. */
export interface ProjectUserEntry {
  username: UsernameText;
  /**
   * The expiration date, `YYYY-MM-DD`; empty for no expiration.
   * @pattern ^(\d{4}-\d{2}-\d{2})?$ must be a date, as in 2026-01-31, or empty
   */
  expiration?: string;
  /**
   * The unique name of a data access group; empty for none.
   * @maxLength 100
   */
  dataAccessGroup?: string;
  rights?: RightNumbers;
  forms?: FormRightNumbers;
  formsExport?: FormRightNumbers;
  /** Ignored: it belongs to the account. */
  email?: string;
  /** Ignored: it belongs to the account. */
  firstName?: string;
  /** Ignored: it belongs to the account. */
  lastName?: string;
  /**
   * Ignored: `dataAccessGroup` names the group.
   * @isInt
   */
  dataAccessGroupId?: number;
}

@Route('api/v1/project/users')
@Tags('People')
export class ProjectUsersController extends CrfController {
  /**
   * Returns the users in REDCap's own user list, with their rights.
   * @summary List the users of the project
   */
  @Get()
  @Security('apiKey', ['users:read'])
  @SuccessResponse(200, 'The users')
  async listProjectUsers(): Promise<ProjectUsersResponse> {
    return { data: (await this.crf.users.export(this.call)) as ProjectUserResponse[] };
  }

  /**
   * Adds users and changes the rights of existing ones. Users who are not sent are unchanged. A user who has a role has
   * the rights of that role. Idempotent.
   * @summary Add users, or change their rights
   */
  @Put()
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were added or changed')
  @Example<CountResponse>({ data: { count: 1 } })
  async putProjectUsers(@Body() body: PutProjectUsersRequest): Promise<CountResponse> {
    return { data: { count: await this.crf.users.import(body.users, this.call) } };
  }

  /**
   * Removes a user and all of their rights from the project. The REDCap account is kept.
   * @param username the user name, percent-encoded
   * @summary Remove a user from the project
   */
  @Delete('{username}')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were removed')
  @Example<CountResponse>({ data: { count: 1 } })
  async deleteProjectUser(@Path() username: UsernameText): Promise<CountResponse> {
    return { data: { count: await this.crf.users.delete([username], this.call) } };
  }
}

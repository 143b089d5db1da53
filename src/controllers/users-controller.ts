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
import type { UsernameText, UserRights, UserRightsChange } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The users of the project. */
export interface UsersResponse {
  data: UserRights[];
}

/** Users to add or change. */
export interface PutUsersRequest {
  /**
   * The users. Users who are not listed are unchanged.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "rights": { "api_export": 1 }, "forms": { "demographics": 129 } }]
   */
  data: UserRightsChange[];
}

@Route('api/v1/project/users')
@Tags('People')
export class UsersController extends CrfController {
  /**
   * Returns the users in REDCap's own user list, in its order, with their rights.
   * @summary List the users of the project
   */
  @Get()
  @Security('apiKey', ['users:read'])
  @SuccessResponse(200, 'The users')
  async listUsers(): Promise<UsersResponse> {
    return sendUnlessKnown(this.request, { data: await this.crf.users.list(this.call) }, 'no-store');
  }

  /**
   * Adds users and changes the rights of existing ones. Users who are not sent are unchanged. A user who has a role has
   * the rights of that role. Idempotent.
   * @summary Add users, or change their rights
   */
  @Put()
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were added or changed')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putUsers(
    @Body() body: PutUsersRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.users.list(this.call));
    return { data: await this.crf.design.put('users', body.data, { isUnchanged, dryRun, ...this.call }) };
  }

  /**
   * Removes a user and all of their rights from the project. The REDCap account is kept.
   * @param username the user name, percent-encoded
   * @summary Remove a user from the project
   */
  @Delete('{username}')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were removed')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async deleteUser(@Path() username: UsernameText, @Query() dryRun?: boolean): Promise<ChangeResponse> {
    return { data: await this.crf.design.delete('users', [username], { dryRun, ...this.call }) };
  }
}

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
import type {
  DagNameText,
  DataAccessGroup,
  DataAccessGroupAssignment,
  DataAccessGroupChange,
  UsernameText,
} from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The data access groups. */
export interface DagsResponse {
  data: DataAccessGroup[];
}

/** Data access groups to create or rename. */
export interface PutDagsRequest {
  /**
   * The groups. Groups that are not listed are unchanged.
   * @minItems 1
   * @example [{ "name": "North clinic" }]
   */
  data: DataAccessGroupChange[];
}

/** The data access group of each user. */
export interface DagAssignmentsResponse {
  data: DataAccessGroupAssignment[];
}

/** Users to assign to data access groups. */
export interface PutDagAssignmentsRequest {
  /**
   * The assignments. Users who are not listed keep their group.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "dag": "north_clinic" }]
   */
  data: DagAssignmentEntry[];
}

/** A user and their data access group. */
export interface DagAssignmentEntry {
  username: UsernameText;
  /**
   * The unique name of the group; empty for none.
   * @maxLength 100
   * @example "north_clinic"
   */
  dag: string;
}

@Route('api/v1/project')
@Tags('People')
export class DagsController extends CrfController {
  /**
   * Returns the data access groups of the project, in REDCap's order. In REDCap, a member of a group sees only the records
   * of that group. All callers of this service see what its API token can see, regardless of their own group.
   * @summary List the data access groups
   */
  @Get('dags')
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The groups')
  @Example<DagsResponse>({ data: [{ name: 'North clinic', uniqueName: 'north_clinic', id: 1 }] })
  async listDags(): Promise<DagsResponse> {
    return sendUnlessKnown(this.request, { data: await this.crf.dags.list(this.call) });
  }

  /**
   * Creates data access groups and renames existing ones. Groups that are not sent are unchanged. Without `uniqueName`,
   * or with that of another project, the group with the same name is used, or a new one is created, so such a request
   * is idempotent. Changing a name also changes the unique name of the group.
   * @summary Create or rename data access groups
   */
  @Put('dags')
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of groups that REDCap accepted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putDags(
    @Body() body: PutDagsRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.dags.list(this.call));
    return { data: await this.crf.design.put('dags', body.data, { isUnchanged, dryRun, ...this.call }) };
  }

  /**
   * Deletes a data access group. Its records are kept and no longer belong to a group.
   * @param dag the unique name of the group
   * @summary Delete a data access group
   */
  @Delete('dags/{dag}')
  @Security('apiKey', ['design:delete'])
  @SuccessResponse(200, 'The number of groups that were deleted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async deleteDag(@Path() dag: DagNameText, @Query() dryRun?: boolean): Promise<ChangeResponse> {
    return { data: await this.crf.design.delete('dags', [dag], { dryRun, ...this.call }) };
  }

  /**
   * Returns the data access group of each user, in REDCap's order; empty for users without a group.
   * @summary List the data access group assignments
   */
  @Get('dag-assignments')
  @Security('apiKey', ['users:read'])
  @SuccessResponse(200, 'The assignments')
  @Example<DagAssignmentsResponse>({ data: [{ username: 'ada.lovelace', dag: 'north_clinic' }] })
  async listDagAssignments(): Promise<DagAssignmentsResponse> {
    const data = await this.crf.dagAssignments.list(this.call);
    return sendUnlessKnown(this.request, { data }, 'no-store');
  }

  /**
   * Assigns users to data access groups; an empty group removes the assignment. Users who are not sent keep their
   * group. Idempotent.
   * @summary Assign users to data access groups
   */
  @Put('dag-assignments')
  @Security('apiKey', ['users:write'])
  @SuccessResponse(200, 'The number of users that were assigned')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putDagAssignments(
    @Body() body: PutDagAssignmentsRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.dagAssignments.list(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('dag-assignments', body.data, options) };
  }
}

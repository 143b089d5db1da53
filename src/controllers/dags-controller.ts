import {
  Body,
  Controller,
  Delete,
  Example,
  Get,
  Header,
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
import type { DataAccessGroupAssignment } from '../gateways/redcap/crf-client.js';
import { answerUnlessKnown } from '../http/entity-tag.js';
import type { DagsService } from '../services/project/dags-service.js';
import type { DesignChanges } from '../services/project/design-changes.js';
import { callOptions } from './call-options.js';
import type { CountResponse } from './count-response.js';
import type { DagNameText, EntityTagsText, LabelText, UsernameText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { whileUnchanged } from './while-unchanged.js';

/** The data access groups. */
export interface DagsResponse {
  data: DagResponse[];
}

/** A data access group. */
export interface DagResponse {
  /** What people read. */
  name: string;
  /** As in `redcap_data_access_group`. It follows the name when that is changed. */
  uniqueName: string;
  /**
   * From REDCap 13.1 on.
   * @isInt
   */
  id?: number;
}

/** Groups to make, or to rename. */
export interface PutDagsRequest {
  /**
   * Groups that are not sent stay.
   * @minItems 1
   * @example [{ "name": "North clinic" }]
   */
  dags: DagEntry[];
}

/** A data access group. */
export interface DagEntry {
  name: LabelText;
  /** The group that is meant; without it the one that has the name, or a new one. */
  uniqueName?: DagNameText;
}

/** Which user is in which group. */
export interface DagAssignmentsResponse {
  data: DataAccessGroupAssignment[];
}

/** Users to put into groups. */
export interface PutDagAssignmentsRequest {
  /**
   * Users who are not sent stay where they are.
   * @minItems 1
   * @example [{ "username": "ada.lovelace", "group": "north_clinic" }]
   */
  assignments: DagAssignmentEntry[];
}

/** A user in a group. */
export interface DagAssignmentEntry {
  username: UsernameText;
  /**
   * The unique name of the group; empty for none.
   * @maxLength 100
   * @example "north_clinic"
   */
  group: string;
}

@Route('api/v1/project')
@Tags('People')
export class DagsController extends Controller {
  constructor(
    private readonly dags: DagsService,
    private readonly changes: DesignChanges,
  ) {
    super();
  }

  /**
   * The data access groups of the project. Who is in one sees the records of that group alone. All callers of this
   * service see what its token sees, whatever group they are in.
   * @summary List the data access groups
   */
  @Get('dags')
  @Security('apiKey', ['project:read'])
  @Security('cookieAuth', ['project:read'])
  @SuccessResponse(200, 'The groups')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  @Example<DagsResponse>({ data: [{ name: 'North clinic', uniqueName: 'north_clinic', id: 1 }] })
  async listDags(@Request() request: ExpressRequest): Promise<DagsResponse> {
    const data = (await this.dags.list(callOptions(request))) as DagResponse[];
    return answerUnlessKnown(request, { data });
  }

  /**
   * Makes groups and renames those that exist; others stay. A group without `uniqueName` is the one that has the name, or
   * else a new one: sent twice it comes to the same. A unique name follows its name.
   * @param ifMatch the `ETag` of what was read: the change is made only while it is still that
   * @summary Make or rename data access groups
   */
  @Put('dags')
  @Security('apiKey', ['design:write'])
  @Security('cookieAuth', ['design:write'])
  @SuccessResponse(200, 'How many groups REDCap took')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  @Response<Problem>(412, 'precondition_failed: it is not what If-Match says', undefined, PROBLEM)
  async putDags(
    @Request() request: ExpressRequest,
    @Body() body: PutDagsRequest,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<CountResponse> {
    const options = callOptions(request);
    const isUnchanged = whileUnchanged(ifMatch, async () => [{ data: await this.dags.list(options) }]);
    const count = await this.changes.make(isUnchanged, () => this.dags.put(body.dags, options));
    return { data: { count } };
  }

  /**
   * Deletes a data access group. Its records stay, and stand in no group then.
   * @param dag the unique name of the group
   * @summary Delete a data access group
   */
  @Delete('dags/{dag}')
  @Security('apiKey', ['design:write'])
  @Security('cookieAuth', ['design:write'])
  @SuccessResponse(200, 'How many groups were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async deleteDag(@Request() request: ExpressRequest, @Path() dag: DagNameText): Promise<CountResponse> {
    return { data: { count: await this.dags.delete(dag, callOptions(request)) } };
  }

  /**
   * Which user is in which data access group; an empty group is none.
   * @summary List who is in which data access group
   */
  @Get('dag-assignments')
  @Security('apiKey', ['users:read'])
  @Security('cookieAuth', ['users:read'])
  @SuccessResponse(200, 'The assignments')
  @Example<DagAssignmentsResponse>({ data: [{ username: 'ada.lovelace', group: 'north_clinic' }] })
  async listDagAssignments(@Request() request: ExpressRequest): Promise<DagAssignmentsResponse> {
    return { data: await this.dags.listAssignments(callOptions(request)) };
  }

  /**
   * Puts users into data access groups, or with an empty group into none. Users who are not sent stay where they are.
   * Sent twice it comes to the same.
   * @summary Put users into data access groups
   */
  @Put('dag-assignments')
  @Security('apiKey', ['users:write'])
  @Security('cookieAuth', ['users:write'])
  @SuccessResponse(200, 'How many users were assigned')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async putDagAssignments(
    @Request() request: ExpressRequest,
    @Body() body: PutDagAssignmentsRequest,
  ): Promise<CountResponse> {
    return { data: { count: await this.dags.putAssignments(body.assignments, callOptions(request)) } };
  }
}

import {
  Body,
  Controller,
  Delete,
  Example,
  Get,
  Header,
  Path,
  Put,
  Queries,
  Query,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { Arm } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown } from '../http/entity-tag.js';
import type { ArmsService } from '../services/project/arms-service.js';
import type { DesignChanges } from '../services/project/design-changes.js';
import { callOptions, scopesOf } from './call-options.js';
import type { CountResponse } from './count-response.js';
import type { ArmNumber, EntityTagsText, LabelText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { whileUnchanged } from './while-unchanged.js';

/** The arms. */
export interface ArmsResponse {
  data: Arm[];
}

/** Arms to add or rename. */
export interface PutArmsRequest {
  /**
   * The arms, identified by their numbers.
   * @minItems 1
   * @example [{ "number": 1, "name": "Treatment" }]
   */
  arms: ArmEntry[];
}

/** An arm. */
export interface ArmEntry {
  number: ArmNumber;
  name: LabelText;
}

/** Selects arms. */
export interface ArmsQuery {
  /** Only these arms: `arms=1,2` or `arms=1&arms=2`. */
  arms?: ArmNumber[];
}

@Route('api/v1/project/arms')
@Tags('Design')
export class ArmsController extends Controller {
  constructor(
    private readonly arms: ArmsService,
    private readonly changes: DesignChanges,
  ) {
    super();
  }

  /**
   * Returns the arms that have events. Empty in a classic project.
   * @summary List the arms
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @Security('cookieAuth', ['project:read'])
  @SuccessResponse(200, 'The arms')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  @Example<ArmsResponse>({ data: [{ number: 1, name: 'Treatment' }] })
  async listArms(@Request() request: ExpressRequest, @Queries() query: ArmsQuery): Promise<ArmsResponse> {
    const data = await this.arms.list({ ...query, ...callOptions(request) });
    return sendUnlessKnown(request, { data });
  }

  /**
   * Adds arms, and renames those whose number exists. Idempotent.
   * @param replace deletes every arm that is not sent, with its events and all data stored in them; needs the scope `design:delete` too
   * @param ifMatch the `ETag` of an earlier read: the change is made only if the resource still has it
   * @summary Add, rename or replace arms
   */
  @Put()
  @Security('apiKey', ['design:write'])
  @Security('cookieAuth', ['design:write'])
  @SuccessResponse(200, 'The number of arms that REDCap accepted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  @Response<Problem>(412, 'precondition_failed: the resource no longer matches If-Match', undefined, PROBLEM)
  async putArms(
    @Request() request: ExpressRequest,
    @Body() body: PutArmsRequest,
    @Query() replace?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<CountResponse> {
    const mayDelete = scopesOf(request).includes('design:delete');
    const options = { isReplacement: replace, mayDelete, ...callOptions(request) };
    const isUnchanged = whileUnchanged(ifMatch, async () => [
      { data: await this.arms.list(callOptions(request)) },
    ]);
    const count = await this.changes.make(isUnchanged, () => this.arms.put(body.arms, options));
    return { data: { count } };
  }

  /**
   * Deletes an arm with its events and all data stored in them.
   * @param armNumber the number of the arm
   * @summary Delete an arm
   */
  @Delete('{armNumber}')
  @Security('apiKey', ['design:delete'])
  @Security('cookieAuth', ['design:delete'])
  @SuccessResponse(200, 'The number of arms that were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async deleteArm(@Request() request: ExpressRequest, @Path() armNumber: ArmNumber): Promise<CountResponse> {
    return { data: { count: await this.arms.delete(armNumber, callOptions(request)) } };
  }
}

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
import type { ProjectEvent } from '../gateways/redcap/crf-client.js';
import { answerUnlessKnown } from '../http/entity-tag.js';
import type { DesignChanges } from '../services/project/design-changes.js';
import type { EventsService } from '../services/project/events-service.js';
import type { ArmsQuery } from './arms-controller.js';
import { callOptions } from './call-options.js';
import type { CountResponse } from './count-response.js';
import type { ArmNumber, EntityTagsText, EventNameText, LabelText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { whileUnchanged } from './while-unchanged.js';

/** The events. */
export interface EventsResponse {
  data: ProjectEvent[];
}

/** Events to add, or to change. */
export interface PutEventsRequest {
  /**
   * In the order of the project.
   * @minItems 1
   * @example [{ "label": "Baseline", "armNumber": 1 }]
   */
  events: EventEntry[];
}

/** An event. */
export interface EventEntry {
  label: LabelText;
  armNumber: ArmNumber;
  /** The event that is meant; without it the one of the arm that has the label, or a new one. */
  uniqueName?: EventNameText;
  /**
   * What stands beside the label in REDCap's pages; may hold piped fields.
   * @maxLength 1000
   */
  customLabel?: string;
  /**
   * Days from the beginning; while scheduling is enabled.
   * @isInt
   */
  dayOffset?: number;
  /**
   * How many days earlier it may be.
   * @isInt
   */
  offsetMin?: number;
  /**
   * How many days later it may be.
   * @isInt
   */
  offsetMax?: number;
}

@Route('api/v1/project/events')
@Tags('Design')
export class EventsController extends Controller {
  constructor(
    private readonly events: EventsService,
    private readonly changes: DesignChanges,
  ) {
    super();
  }

  /**
   * The events in the order of the project. A classic project has none.
   * @summary List the events
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @Security('cookieAuth', ['project:read'])
  @SuccessResponse(200, 'The events')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  @Example<EventsResponse>({
    data: [{ label: 'Baseline', armNumber: 1, uniqueName: 'baseline_arm_1', customLabel: '' }],
  })
  async listEvents(@Request() request: ExpressRequest, @Queries() query: ArmsQuery): Promise<EventsResponse> {
    const data = await this.events.list({ ...query, ...callOptions(request) });
    return answerUnlessKnown(request, { data });
  }

  /**
   * Adds events and changes those that exist. An event without `uniqueName` is the one of its arm that has the label, or
   * else a new one: sent twice it comes to the same. A unique name follows its label.
   * @param replace deletes every event that is not sent, with all data that is stored there
   * @param ifMatch the `ETag` of what was read: the change is made only while it is still that
   * @summary Add, change or replace events
   */
  @Put()
  @Security('apiKey', ['design:write'])
  @Security('cookieAuth', ['design:write'])
  @SuccessResponse(200, 'How many events REDCap took')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  @Response<Problem>(412, 'precondition_failed: it is not what If-Match says', undefined, PROBLEM)
  async putEvents(
    @Request() request: ExpressRequest,
    @Body() body: PutEventsRequest,
    @Query() replace?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<CountResponse> {
    const options = { isReplacement: replace, ...callOptions(request) };
    const isUnchanged = whileUnchanged(ifMatch, async () => [
      { data: await this.events.list(callOptions(request)) },
    ]);
    const count = await this.changes.make(isUnchanged, () => this.events.put(body.events, options));
    return { data: { count } };
  }

  /**
   * Deletes an event with everything that is stored there.
   * @param event the unique name of the event
   * @summary Delete an event
   */
  @Delete('{event}')
  @Security('apiKey', ['design:write'])
  @Security('cookieAuth', ['design:write'])
  @SuccessResponse(200, 'How many events were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused an entry', undefined, PROBLEM)
  async deleteEvent(
    @Request() request: ExpressRequest,
    @Path() event: EventNameText,
  ): Promise<CountResponse> {
    return { data: { count: await this.events.delete(event, callOptions(request)) } };
  }
}

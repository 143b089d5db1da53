import {
  Body,
  Delete,
  Example,
  Get,
  Header,
  Path,
  Put,
  Queries,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EventNameText } from '../domain/identifiers/names.js';
import type { EntityTagsText } from '../http/entity-tag.js';
import type { ProjectEvent, ProjectEventChange } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import type { ArmsQuery } from './arms-controller.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The events. */
export interface EventsResponse {
  data: ProjectEvent[];
}

/** Events to add or change. */
export interface PutEventsRequest {
  /**
   * The events, in project order.
   * @minItems 1
   * @example [{ "label": "Baseline", "arm": 1 }]
   */
  data: ProjectEventChange[];
}

@Route('api/v1/project/events')
@Tags('Design')
export class EventsController extends CrfController {
  /**
   * Returns the events in project order. Empty in a classic project.
   * @summary List the events
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The events')
  @Example<EventsResponse>({
    data: [{ label: 'Baseline', arm: 1, uniqueName: 'baseline_arm_1', customLabel: '' }],
  })
  async listEvents(@Queries() query: ArmsQuery): Promise<EventsResponse> {
    const data = await this.crf.events.list({ ...query, ...this.call });
    return sendUnlessKnown(this.request, { data });
  }

  /**
   * Adds events and changes existing ones. Without `uniqueName`, the event of the arm with the same label is changed,
   * or a new one is added, so such a request is idempotent. Changing a label also changes the unique name of the event.
   * @param replace deletes every event that is not sent, with all data stored in it; needs the scope `design:delete` too
   * @summary Add, change or replace events
   */
  @Put()
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of events that REDCap accepted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putEvents(
    @Body() body: PutEventsRequest,
    @Query() replace?: boolean,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.events.list(this.call));
    const mayDelete = this.scopes.includes('design:delete');
    const options = { replace, mayDelete, isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('events', body.data, options) };
  }

  /**
   * Deletes an event with all data stored in it.
   * @param event the unique name of the event
   * @summary Delete an event
   */
  @Delete('{event}')
  @Security('apiKey', ['design:delete'])
  @SuccessResponse(200, 'The number of events that were deleted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async deleteEvent(@Path() event: EventNameText, @Query() dryRun?: boolean): Promise<ChangeResponse> {
    return { data: await this.crf.design.delete('events', [event], { dryRun, ...this.call }) };
  }
}

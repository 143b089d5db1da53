import {
  Body,
  Example,
  Get,
  Header,
  Put,
  Queries,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { EntityTagsText } from '../http/entity-tag.js';
import type {
  ArmNumber,
  InstrumentEventMapping,
  RepeatingInstrument,
} from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import type { ArmsQuery } from './arms-controller.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The instruments of each event. */
export interface MappingsResponse {
  data: InstrumentEventMapping[];
}

/** All instrument-event mappings of the project. */
export interface PutMappingsRequest {
  /**
   * All mappings. Existing mappings that are not listed are deleted.
   * @minItems 1
   * @example [{ "arm": 1, "event": "baseline_arm_1", "instrument": "demographics" }]
   */
  data: MappingEntry[];
}

/** An instrument of an event. */
export interface MappingEntry {
  arm: ArmNumber;
  event: EventNameText;
  instrument: InstrumentNameText;
}

/** The repeating instruments and events. */
export interface RepeatingResponse {
  data: RepeatingInstrument[];
}

/** All repeating instruments and events of the project. */
export interface PutRepeatingRequest {
  /**
   * All repeating instruments and events. Those that are not listed no longer repeat.
   * @minItems 1
   * @example [{ "event": "", "instrument": "medication", "customLabel": "[drug]" }]
   */
  data: RepeatingEntry[];
}

/** A repeating instrument, or a whole repeating event if `instrument` is empty. */
export interface RepeatingEntry {
  /**
   * The unique event name; empty in a classic project.
   * @maxLength 100
   */
  event: string;
  /**
   * The unique name of the instrument; empty if the whole event repeats.
   * @maxLength 100
   */
  instrument: string;
  /**
   * The label that distinguishes the instances; may contain piped fields.
   * @maxLength 1000
   */
  customLabel: string;
}

@Route('api/v1/project')
@Tags('Design')
@Security('apiKey', ['project:read'])
export class InstrumentPlacesController extends CrfController {
  /**
   * Returns the instruments of each event, in REDCap's order. Empty in a classic project.
   * @summary List the instrument-event mappings
   */
  @Get('mappings')
  @SuccessResponse(200, 'The mappings')
  @Example<MappingsResponse>({
    data: [{ arm: 1, event: 'baseline_arm_1', instrument: 'demographics' }],
  })
  async listMappings(@Queries() query: ArmsQuery): Promise<MappingsResponse> {
    const data = await this.crf.mappings.list({ ...query, ...this.call });
    return sendUnlessKnown(this.request, { data });
  }

  /**
   * Replaces all mappings of the project. Mappings that are not sent are deleted. Idempotent.
   * @summary Replace the instrument-event mappings
   */
  @Put('mappings')
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of mappings')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putMappings(
    @Body() body: PutMappingsRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.mappings.list(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('mappings', body.data, options) };
  }

  /**
   * Returns the repeating instruments and the whole events that repeat, in REDCap's order. Empty if there are none.
   * @summary List the repeating instruments and events
   */
  @Get('repeating')
  @SuccessResponse(200, 'The repeating instruments and events')
  @Example<RepeatingResponse>({
    data: [{ event: '', instrument: 'medication', customLabel: '[drug]' }],
  })
  async listRepeating(): Promise<RepeatingResponse> {
    return sendUnlessKnown(this.request, {
      data: await this.crf.repeating.list(this.call),
    });
  }

  /**
   * Replaces all repeating instruments and events of the project. Idempotent.
   * @summary Replace the repeating instruments and events
   */
  @Put('repeating')
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of repeating instruments and events')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putRepeating(
    @Body() body: PutRepeatingRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.repeating.list(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('repeating', body.data, options) };
  }
}

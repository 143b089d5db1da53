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
import type { EntityTagsText } from '../http/entity-tag.js';
import type { Arm, ArmNumber, LabelText } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

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
  data: ArmEntry[];
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
export class ArmsController extends CrfController {
  /**
   * Returns the arms that have events, in REDCap's order. Empty in a classic project.
   * @summary List the arms
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The arms')
  @Example<ArmsResponse>({ data: [{ number: 1, name: 'Treatment' }] })
  async listArms(@Queries() query: ArmsQuery): Promise<ArmsResponse> {
    const data = await this.crf.arms.list({ ...query, ...this.call });
    return sendUnlessKnown(this.request, { data });
  }

  /**
   * Adds arms, and renames those whose number exists. Idempotent.
   * @param replace deletes every arm that is not sent, with its events and all data stored in them; needs the scope `design:delete` too
   * @summary Add, rename or replace arms
   */
  @Put()
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of arms that REDCap accepted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putArms(
    @Body() body: PutArmsRequest,
    @Query() replace?: boolean,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.arms.list(this.call));
    const mayDelete = this.scopes.includes('design:delete');
    const options = { replace, mayDelete, isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.put('arms', body.data, options) };
  }

  /**
   * Deletes an arm with its events and all data stored in them.
   * @param arm the number of the arm
   * @summary Delete an arm
   */
  @Delete('{arm}')
  @Security('apiKey', ['design:delete'])
  @SuccessResponse(200, 'The number of arms that were deleted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async deleteArm(@Path() arm: ArmNumber, @Query() dryRun?: boolean): Promise<ChangeResponse> {
    return { data: await this.crf.design.delete('arms', [arm], { dryRun, ...this.call }) };
  }
}

import { Body, Example, Patch, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ProjectSettings } from '../gateways/redcap/crf-client.js';
import { CrfController, type CountResponse } from './crf-controller.js';

/** Settings to change. Omitted settings are unchanged. */
export interface SettingsRequest extends ProjectSettings {
  /**
   * Ignored, as are the next five: `GET` returns them, and REDCap's API cannot change them.
   * @isInt
   */
  id?: number;
  creationTime?: string;
  productionTime?: string;
  isInProduction?: boolean;
  hasRepeatingInstrumentsOrEvents?: boolean;
  missingDataCodes?: string;
}

@Route('api/v1/project/settings')
@Tags('Design')
export class SettingsController extends CrfController {
  /**
   * Changes settings of the project, which `GET /project/info` returns and which can be sent back as they are. Omitted settings are unchanged. Idempotent.
   * @summary Change settings of the project
   */
  @Patch()
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of values that REDCap accepted')
  @Example<CountResponse>({ data: { count: 1 } })
  async changeSettings(@Body() body: SettingsRequest): Promise<CountResponse> {
    return { data: { count: await this.crf.projects.changeSettings(body, this.call) } };
  }
}

import { Body, Example, Header, Patch, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EntityTagsText } from '../http/entity-tag.js';
import type { ProjectSettings } from '../gateways/redcap/crf-client.js';
import { whileUnchanged } from './tagged-answers.js';
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
   * @param ifMatch the `ETag` of an earlier read: the change is made only if the resource still has it
   * @summary Change settings of the project
   */
  @Patch()
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of values that REDCap accepted')
  @Example<CountResponse>({ data: { count: 1 } })
  async changeSettings(
    @Body() body: SettingsRequest,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<CountResponse> {
    const options = this.call;
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.project.getProjectInfo(options));
    const put = (): Promise<number> => this.crf.projects.changeSettings(body, options);
    return { data: { count: await this.crf.design.change(isUnchanged, put) } };
  }
}

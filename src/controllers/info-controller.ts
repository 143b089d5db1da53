import {
  Body,
  Example,
  Get,
  Header,
  Patch,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EntityTagsText } from '../http/entity-tag.js';
import type { ProjectInfo, ProjectSettings } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';

/** The project. */
export interface ProjectInfoResponse {
  data: ProjectInfo;
}

/** Settings to change. Omitted settings are unchanged. */
export interface PutInfoRequest extends ProjectSettings {
  /**
   * Ignored, as is what follows: `GET` returns it, and REDCap's API cannot change it.
   * @isInt
   */
  id?: number;
  creationTime?: string;
  productionTime?: string;
  isInProduction?: boolean;
  hasRepeatingInstrumentsOrEvents?: boolean;
  missingDataCodes?: string;
  ddpEnabled?: boolean;
  piEmail?: string;
  displayTodayNowButton?: boolean;
  externalModules?: string;
  bypassBranchingEraseFieldPrompt?: boolean;
}

@Route('api/v1/project/info')
@Tags('Project')
export class InfoController extends CrfController {
  /**
   * Returns the title and state of the project, and which of REDCap's features it uses.
   * @summary Get the project information
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The project')
  async getInfo(): Promise<ProjectInfoResponse> {
    return sendUnlessKnown(this.request, { data: await this.crf.project.getInfo(this.call) });
  }

  /**
   * Changes settings of the project, which `GET` returns and which can be sent back as they are. Omitted settings are unchanged. Idempotent.
   * @summary Change settings of the project
   */
  @Patch()
  @Security('apiKey', ['design:write'])
  @SuccessResponse(200, 'The number of values that REDCap accepted')
  @Example<ChangeResponse>({ data: { count: 1 } })
  async putInfo(
    @Body() body: PutInfoRequest,
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const isUnchanged = whileUnchanged(ifMatch, () => this.crf.project.getInfo(this.call));
    const options = { isUnchanged, dryRun, ...this.call };
    return { data: await this.crf.design.putInfo(body, options) };
  }
}

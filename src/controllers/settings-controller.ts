import { Body, Example, Patch, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { CountResponse, LabelText } from './wire-types.js';

/** Settings to change. Omitted settings are unchanged. */
export interface SettingsRequest {
  /** @example "Cohort study 2026" */
  title?: LabelText;
  /** @maxLength 100 */
  language?: string;
  /**
   * 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support.
   * @isInt
   * @minimum 0
   * @maximum 4
   */
  purpose?: number;
  /** @maxLength 1000 */
  purposeOther?: string;
  /** @maxLength 10000 */
  notes?: string;
  /** @maxLength 1000 */
  customRecordLabel?: string;
  /**
   * The field whose values must be unique across records; empty for none.
   * @maxLength 100
   */
  secondaryUniqueField?: string;
  isLongitudinal?: boolean;
  surveysEnabled?: boolean;
  schedulingEnabled?: boolean;
  recordAutonumberingEnabled?: boolean;
  randomizationEnabled?: boolean;
  /** @maxLength 1000 */
  irbNumber?: string;
  /** @maxLength 1000 */
  grantNumber?: string;
  /** @maxLength 1000 */
  piFirstName?: string;
  /** @maxLength 1000 */
  piLastName?: string;
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

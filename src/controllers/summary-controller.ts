import { Get, Path, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { FieldNameText } from '../domain/identifiers/names.js';
import { sendUnlessKnown } from './tagged-answers.js';
import type { FieldDistribution } from '../services/summary/field-distribution.js';
import type { StudySummary } from '../services/summary/study-summary.js';
import { CrfController } from './crf-controller.js';

/** The summary of the study. */
export interface StudySummaryResponse {
  data: StudySummary;
}

/** The distribution of a field. */
export interface FieldDistributionResponse {
  data: FieldDistribution;
}

/** How to split a distribution. */
export interface DistributionQuery {
  /** `dag`: by data access group; `arm`: by arm. Not split by default. */
  by?: 'dag' | 'arm';
}

@Route('api/v1/project/summary')
@Tags('Project')
@Security('apiKey', ['project:read'])
export class SummaryController extends CrfController {
  /**
   * Summarizes the progress of the study: recruitment over time and by data access group, form statuses by instrument and event, and
   * missing data by field. The summary is computed in one pass over the records and cached for all callers; one older
   * than a minute is refreshed in the background. `madeAt` is the time it was computed. Without `records:read`, small
   * counts are omitted (`SMALL_CELL`).
   * @summary Get the summary of the study
   */
  @Get()
  @SuccessResponse(200, 'The summary')
  async getSummary(): Promise<StudySummaryResponse> {
    const { summaries } = this.crf;
    const data = await summaries.withDaysToEntry(await summaries.summary(this.scopes), this.scopes);
    return sendUnlessKnown(this.request, { data });
  }

  /**
   * Summarizes the values of one field: how many there are and how many are missing; the median, the quartiles and a
   * histogram for numbers; a count for each choice. For identifiers and free text, only the first two are returned.
   * Without `records:read`, small counts and the minimum and maximum are omitted.
   * @summary Get the distribution of a field
   * @param field the name of the field in the data dictionary
   */
  @Get('fields/{field}')
  @SuccessResponse(200, 'The distribution')
  async getDistribution(
    @Path() field: FieldNameText,
    @Queries() query: DistributionQuery,
  ): Promise<FieldDistributionResponse> {
    const data = await this.crf.summaries.distribution({ field, ...query }, this.scopes);
    return sendUnlessKnown(this.request, { data });
  }
}

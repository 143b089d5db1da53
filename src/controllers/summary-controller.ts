import {
  Controller,
  Get,
  Path,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { answerUnlessKnown } from '../http/entity-tag.js';
import type { FieldDistribution } from '../services/summary/field-distribution.js';
import type { StudySummary } from '../services/summary/study-summary.js';
import type { StudySummaries } from '../services/summary/study-summaries.js';
import type { FieldNameText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { scopesOf } from './call-options.js';

/** The summary of the study. */
export interface StudySummaryResponse {
  data: StudySummary;
}

/** The distribution of a field. */
export interface FieldDistributionResponse {
  data: FieldDistribution;
}

/** How a distribution is split. */
export interface DistributionQuery {
  /** `site` by data access group, `arm` by arm; not at all by default. */
  by?: 'site' | 'arm';
}

@Route('api/v1/project/summary')
@Tags('Project')
@Security('apiKey', ['project:read'])
@Security('cookieAuth', ['project:read'])
export class SummaryController extends Controller {
  constructor(private readonly summaries: StudySummaries) {
    super();
  }

  /**
   * How the study goes, in numbers: recruitment over time and by site, form statuses by instrument and event, missing
   * data by field. Made in one pass over the records, shared by all who ask, remembered, and made anew in the background
   * when it is older than a minute: `madeAt` says when. Without `records:read` small counts are left out (`SMALL_CELL`).
   * @summary The study at a glance
   */
  @Get()
  @SuccessResponse(200, 'The summary')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  async getSummary(@Request() request: ExpressRequest): Promise<StudySummaryResponse> {
    const data = await this.summaries.summary(scopesOf(request));
    return answerUnlessKnown(request, { data });
  }

  /**
   * The values of one field, in numbers: how many there are and how many are missing; median, quartiles and a histogram
   * of numbers; counts of choices. Of identifiers and free text only the first two. Without `records:read` small counts,
   * least and greatest are left out.
   * @summary The distribution of a field
   * @param field the field, as the data dictionary names it
   */
  @Get('fields/{field}')
  @SuccessResponse(200, 'The distribution')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  @Response<Problem>(400, 'invalid_request: the project has no such field', undefined, PROBLEM)
  async getDistribution(
    @Request() request: ExpressRequest,
    @Path() field: FieldNameText,
    @Queries() query: DistributionQuery,
  ): Promise<FieldDistributionResponse> {
    const data = await this.summaries.distribution({ field, ...query }, scopesOf(request));
    return answerUnlessKnown(request, { data });
  }
}

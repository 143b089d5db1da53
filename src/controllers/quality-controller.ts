import { Example, Get, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { QualityFinding } from '../records/rules/quality-finding.js';
import type { LimitQuery } from '../records/export/page-query.js';
import type { FindingQuery } from '../services/quality/quality-service.js';
import type { QualitySummary } from '../services/quality/quality-report.js';
import type { Problem } from '../http/send-problem.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';
import { requireLogScope } from '../services/quality/recent-changes.js';

/** Selects findings, and how they are written. */
export interface QualityQuery extends FindingQuery, DownloadQuery, LimitQuery {}

/** The findings. */
export interface QualityResponse {
  data: QualityFinding[];
  summary: QualitySummary;
}

@Route('api/v1/project/quality')
@Tags('Project')
export class QualityController extends CrfController {
  /**
   * Checks every stored record against the rules of its project. It finds values that violate their validation or
   * limits, required fields that are visible but empty, values in fields hidden by branching logic, calculated values
   * that do not match their current inputs, and form statuses that contradict their form. Forms that have not been
   * started are skipped. Logic that this service cannot evaluate, and calculations with `today` or `now`, are listed
   * first, as `not_checked`, once for the field; then findings by record, in the order of an export. The response is a
   * stream in `application/json`, `application/x-ndjson` or `text/csv`, and contains no values of records. JSON, and
   * NDJSON with `trailer`, end with the number of findings per rule, also of those beyond `limit`.
   * @summary Check the quality of the stored data
   */
  @Get()
  @Security('apiKey', ['project:read', 'records:read'])
  @SuccessResponse(200, 'The findings')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<QualityResponse>({
    data: [
      {
        record: 'COHORT-2026-PARTICIPANT-0001',
        event: '',
        instrument: 'demographics',
        instance: null,
        field: 'age',
        rule: 'out_of_range',
        code: 'from_to',
        parameters: { minimum: '0', maximum: '120' },
        message: 'must be from 0 to 120',
      },
    ],
    summary: { records: 250, findings: 1, rules: { out_of_range: 1 } },
  })
  async checkQuality(@Queries() query: QualityQuery): Promise<QualityResponse> {
    requireLogScope(query.from, this.scopes);
    const { fileName, ...form } = exportForm(this.request, query, 'quality');
    return sendRecords(this.request, () => this.crf.quality.open({ ...query, ...form }, this.call), fileName);
  }
}

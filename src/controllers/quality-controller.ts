import { Example, Get, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { InstrumentNameText, RecordIdText } from './wire-types.js';
import type { Problem, SentenceResponse } from './problem.js';
import { exportForm } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';
import { requireLogScope } from '../services/quality/recent-changes.js';

/** Selects findings. */
export interface QualityQuery {
  /** Only these records. */
  records?: RecordIdText[];
  /** Only findings on these instruments. */
  forms?: InstrumentNameText[];
  /** Only findings for these rules. */
  rules?: QualityRuleText[];
  /**
   * Only findings on what was entered or changed since this day, in the time of REDCap's server: on a field that was, or
   * on a form whose status was, according to REDCap's log. Requires `logs:read`.
   * @pattern ^\d{4}-\d{2}-\d{2}$ must be a day, as in 2026-01-31
   * @example "2026-01-31"
   */
  changedSince?: string;
  /**
   * The number of records per call to REDCap; 500 by default.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
  /** The format, in place of `Accept`: for links in a browser, which cannot set that header. */
  format?: 'json' | 'ndjson' | 'csv';
  /**
   * NDJSON only: adds a last line `{"_complete":true,"records":N,"summary":{…}}`, which shows that the report is
   * complete. Its `records` is the number of lines before it.
   */
  trailer?: boolean;
  /** CSV only: puts an apostrophe before cells that a spreadsheet would treat as formulas. */
  spreadsheetSafe?: boolean;
}

/** The rule that a finding is about. */
export type QualityRuleText =
  | 'invalid_value'
  | 'out_of_range'
  | 'required_empty'
  | 'hidden_value'
  | 'stale_calculation'
  | 'contradicting_status'
  | 'not_checked';

/** Where something is found, and what. Never contains a value of a record. */
export interface FindingResponse extends SentenceResponse {
  /** The record id; empty for `not_checked`, which is about the project. */
  record: string;
  /** The unique event name; empty in a classic project. */
  event: string;
  instrument: string;
  /**
   * The number of the repeat instance; null if the instrument does not repeat.
   * @isInt
   */
  instance: number | null;
  /** The name of the export column. */
  field: string;
}

/** A finding that a study team may want to look at. Never contains a value of a record. */
export interface QualityFindingResponse extends FindingResponse {
  rule: QualityRuleText;
}

/** The findings. */
export interface QualityResponse {
  data: QualityFindingResponse[];
  summary: QualitySummaryResponse;
}

/** The number of findings. */
export interface QualitySummaryResponse {
  /**
   * The number of records that were checked.
   * @isInt
   */
  records: number;
  /** @isInt */
  findings: number;
  /** The number of findings for each rule that was checked. */
  rules: QualityCountsResponse;
}

/** The number of findings by rule. A rule that was not requested is absent. */
export interface QualityCountsResponse {
  /** @isInt */
  invalid_value?: number;
  /** @isInt */
  out_of_range?: number;
  /** @isInt */
  required_empty?: number;
  /** @isInt */
  hidden_value?: number;
  /** @isInt */
  stale_calculation?: number;
  /** @isInt */
  contradicting_status?: number;
  /** @isInt */
  not_checked?: number;
}

@Route('api/v1/project/quality')
@Tags('Project')
export class QualityController extends CrfController {
  /**
   * Checks every stored record against the rules of its project. It finds values that violate their validation or
   * limits, required fields that are visible but empty, values in fields hidden by branching logic, calculated values
   * that do not match their current inputs, and form statuses that contradict their form. Forms that have not been
   * started are skipped. Logic that this service cannot evaluate, and
   * calculations with `today` or `now`, are listed first, as `not_checked`, once for the field. The response is a
   * stream in `application/json`, `application/x-ndjson` or `text/csv`, and contains no values of records. JSON, and
   * NDJSON with `trailer`, end with the number of findings per rule.
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
    requireLogScope(query.changedSince, this.scopes);
    const { fileName, ...form } = exportForm(this.request, query, 'quality');
    return sendRecords(this.request, () => this.crf.quality.open({ ...query, ...form }, this.call), fileName);
  }
}

import {
  Controller,
  Example,
  Get,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { QualityReport } from '../services/quality/quality-report.js';
import { callOptions } from './call-options.js';
import type { InstrumentNameText, RecordIdText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { exportForm } from './record-formats.js';
import { sendRecords } from './send-records.js';

/** Which findings. */
export interface QualityQuery {
  /** Only these records. */
  records?: RecordIdText[];
  /** Only findings on these instruments. */
  forms?: InstrumentNameText[];
  /** Only findings of these rules. */
  rules?: QualityRuleText[];
  /**
   * Records a call to REDCap; 500 by default.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
  /** What comes, instead of what `Accept` says: for links in a browser, which cannot choose it. */
  format?: 'json' | 'ndjson' | 'csv';
  /**
   * NDJSON only: a last line `{"_complete":true,"records":N,"summary":{…}}` tells a whole report from one that broke off; its
   * `records` are the lines before it.
   */
  trailer?: boolean;
  /** CSV only: puts an apostrophe before cells that a spreadsheet would take for formulas. */
  spreadsheetSafe?: boolean;
}

/** What a finding is about. */
export type QualityRuleText =
  | 'invalid_value'
  | 'out_of_range'
  | 'required_empty'
  | 'hidden_value'
  | 'stale_calculation'
  | 'contradicting_status'
  | 'not_checked';

/** Something that a study team may want to look at. Never holds a value of a record. */
export interface QualityFindingResponse {
  /** The record id; empty for `not_checked`, which is about the project. */
  record: string;
  /** The unique event name; empty in a classic project. */
  event: string;
  instrument: string;
  /**
   * The repeat instance; null where nothing repeats.
   * @isInt
   */
  instance: number | null;
  /** The export column. */
  field: string;
  rule: QualityRuleText;
  /** The rule in words, as the end of a sentence that begins with the field. */
  message: string;
}

/** The findings. */
export interface QualityResponse {
  data: QualityFindingResponse[];
  summary: QualitySummaryResponse;
}

/** The findings in numbers. */
export interface QualitySummaryResponse {
  /**
   * Records that were checked.
   * @isInt
   */
  records: number;
  /** @isInt */
  findings: number;
  /** How many findings there are of each rule that was checked. */
  rules: QualityCountsResponse;
}

/** How many findings there are, by rule; a rule that was not asked for is absent. */
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
export class QualityController extends Controller {
  constructor(private readonly report: QualityReport) {
    super();
  }

  /**
   * Holds every stored record against the rules of its project: values that break their validation or limits, required
   * fields that are empty though shown, values in fields that branching logic hides, calculated values that differ from what
   * their inputs give now, and form statuses that contradict their form. Forms that nobody has begun are passed over. Logic
   * that this service does not know is listed as `not_checked`, first. The answer is a stream, as `application/json`,
   * `application/x-ndjson` or `text/csv`; it has no values of records. JSON, and NDJSON with `trailer`, ends with how many there
   * are by rule.
   * @summary Check the quality of the stored data
   */
  @Get()
  @Security('apiKey', ['project:read', 'records:read'])
  @Security('cookieAuth', ['project:read', 'records:read'])
  @SuccessResponse(200, 'The findings')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export', undefined, PROBLEM)
  @Example<QualityResponse>({
    data: [
      {
        record: 'COHORT-2026-PARTICIPANT-0001',
        event: '',
        instrument: 'demographics',
        instance: null,
        field: 'age',
        rule: 'out_of_range',
        message: 'must be from 0 to 120',
      },
    ],
    summary: { records: 250, findings: 1, rules: { out_of_range: 1 } },
  })
  async checkQuality(
    @Request() request: ExpressRequest,
    @Queries() query: QualityQuery,
  ): Promise<QualityResponse> {
    const { fileName, ...form } = exportForm(request, query, 'quality');
    return sendRecords(
      request,
      () => this.report.open({ ...query, ...form }, callOptions(request)),
      fileName,
    );
  }
}

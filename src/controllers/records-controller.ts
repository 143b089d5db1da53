import {
  Body,
  Controller,
  Example,
  Get,
  Header,
  Post,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { RecordPager } from '../services/record-export/record-pages.js';
import type { RecordWriter } from '../services/record-writer.js';
import { callerName, callOptions, scopesOf } from './call-options.js';
import type { IdempotencyKeyText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import type { QualityFindingResponse } from './quality-controller.js';
import type { ExportRecordsQuery, ImportRecordsQuery, QueryRecordsRequest } from './records-queries.js';
import { bodyFormat, exportForm } from './record-formats.js';
import { sendRecords } from './send-records.js';

/**
 * One row: a record, at an event, in a repeat instance. Every value is a string, empty when missing; only
 * `redcap_repeat_instance` is an integer, on repeating rows.
 */
export interface RecordRowResponse {
  [column: string]: string | number;
}

/** The records. */
export interface RecordsResponse {
  data: RecordRowResponse[];
}

/** What was stored. */
export interface ImportResponse {
  data: {
    /**
     * Records stored, or, with `dryRun`, records that are valid. A record of several rows counts once.
     * @isInt
     */
    count: number;
    /** Their ids, when asked for. */
    ids?: string[];
    /**
     * Calls to REDCap; with `dryRun`, those it would take.
     * @isInt
     */
    batches: number;
    /** Nothing was sent. */
    dryRun?: boolean;
    /** Columns that were left out, because no import can store them. */
    ignored?: IgnoredColumnResponse[];
    /** Rows for a record, event and instance that an earlier row of the body is for, too: the later value stands. */
    repeated?: RepeatedRowsResponse;
    /**
     * With `dryRun`, for callers who have `records:read` too: what is likely a mistake, and would be stored all the same. Only
     * where there is some.
     */
    warnings?: ImportWarningsResponse;
  };
}

/** What a dry run noticed: values that branching logic hides, and required fields that stay empty. */
export interface ImportWarningsResponse {
  /** @isInt */
  count: number;
  rules: {
    /** @isInt */
    hidden_value: number;
    /** @isInt */
    required_empty: number;
  };
  /** At most a hundred. */
  first: QualityFindingResponse[];
}

/** A column that was left out: REDCap computes it, or takes it in no import. */
export interface IgnoredColumnResponse {
  /** @example "consent_form" */
  field: string;
  /** @example "file" */
  reason: 'calculated' | 'file' | 'descriptive' | 'survey';
  /**
   * How many values that are not blank stood in it.
   * @isInt
   * @example 99
   */
  values: number;
}

/** Rows that repeat an earlier one. */
export interface RepeatedRowsResponse {
  /**
   * How many there are among the first million rows.
   * @isInt
   */
  count: number;
  /** The first of them, at most a hundred. A replayed answer has none. */
  rows?: RepeatedRowResponse[];
}

/** A row for what an earlier row is for, too. */
export interface RepeatedRowResponse {
  record: string;
  /** @isInt */
  row: number;
  /** @isInt */
  line: number;
}

@Route('api/v1/records')
@Tags('Records')
export class RecordsController extends Controller {
  constructor(
    private readonly pager: RecordPager,
    private readonly writer: RecordWriter,
  ) {
    super();
  }

  /**
   * Exports records as `application/json` (the default), `application/x-ndjson` (a record a line) or `text/csv`:
   * say which with `Accept`. The answer is a stream of any length. One that breaks off ends with a broken
   * connection, never cleanly: a client that sees the end of the answer has all of it.
   *
   * With `pageSize` it is a page of whole records; `Link` with `rel="next"` leads to the next one. `X-Records-Changed: true`
   * says that records were added or deleted among those of the pages before.
   *
   * A list is written `fields=a,b`, `fields=a&fields=b`, `fields[]=a&fields[]=b` or `fields[0]=a&fields[1]=b`. A list or a
   * `filterLogic` that is given and empty is refused: leave it out to export everything.
   *
   * `filterLogic` is checked before it is sent: a bracket that is not closed, a field, event or choice that does not exist, and
   * a comparison that can never hold are refused with their place. What this service does not know is passed on as it is,
   * and `X-Filter-Logic-Note` says so.
   * @summary Export records
   */
  @Get()
  @Security('apiKey', ['records:read'])
  @Security('cookieAuth', ['records:read'])
  @SuccessResponse(200, 'The records')
  @Response<Problem>(
    400,
    'invalid_request, upstream_rejected: an unknown or malformed parameter',
    undefined,
    PROBLEM,
  )
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export', undefined, PROBLEM)
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async exportRecords(
    @Request() request: ExpressRequest,
    @Queries() query: ExportRecordsQuery,
  ): Promise<RecordsResponse> {
    const { fileName, ...form } = exportForm(request, query);
    return sendRecords(request, () => this.pager.open({ ...query, ...form }, callOptions(request)), fileName);
  }

  /**
   * Exports records as `GET /records` does, with the options in the body: for a list of ids that no URL can hold. Changes
   * nothing. A list that is given and empty is refused: leave it out to export everything.
   * @summary Export records by a query in the body
   */
  @Post('query')
  @Security('apiKey', ['records:read'])
  @Security('cookieAuth', ['records:read'])
  @SuccessResponse(200, 'The records')
  @Response<Problem>(
    400,
    'invalid_request, upstream_rejected: an unknown or malformed option',
    undefined,
    PROBLEM,
  )
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export', undefined, PROBLEM)
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async queryRecords(
    @Request() request: ExpressRequest,
    @Body() body: QueryRecordsRequest,
  ): Promise<RecordsResponse> {
    const { format, spreadsheetSafe } = exportForm(request, body);
    const page = { ...body, format, spreadsheetSafe };
    return sendRecords(request, () => this.pager.open(page, callOptions(request)));
  }

  /**
   * Imports records from `application/json` (`{ "records": [ … ] }`), `application/x-ndjson` or `text/csv`. Every
   * record is checked against the rule for record ids and the data dictionary as it passes. What fits one call to
   * REDCap is stored whole or not at all; more is sent in batches, and a failure says what was stored before it and
   * from which record to resume. With `dryRun` nothing is sent, and `warnings` tells of values that branching logic hides and
   * of required fields that stay empty. `Idempotency-Key` makes it safe to send the same request again.
   * @param idempotencyKey makes it safe to send the same request again: it is answered as the first one was, and
   * nothing is stored twice. Kept for 24 hours; a replayed answer has counts and no ids
   * @summary Import records
   */
  @Post()
  @Security('apiKey', ['records:write'])
  @Security('cookieAuth', ['records:write'])
  @SuccessResponse(200, 'What was stored')
  @Response<Problem>(
    400,
    'invalid_request, upstream_rejected: an unknown or malformed parameter',
    undefined,
    PROBLEM,
  )
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, import_interrupted', undefined, PROBLEM)
  @Example<ImportResponse>({ data: { count: 1, batches: 1 } })
  @Response<Problem>(409, 'idempotency_key_in_use: the same request is still running', undefined, PROBLEM)
  @Response<Problem>(413, 'payload_too_large: send the records in parts', undefined, PROBLEM)
  @Response<Problem>(422, 'invalid_records, idempotency_key_reused: see errors', undefined, PROBLEM)
  async importRecords(
    @Request() request: ExpressRequest,
    @Queries() query: ImportRecordsQuery,
    @Header('Idempotency-Key') idempotencyKey?: IdempotencyKeyText,
  ): Promise<ImportResponse> {
    const stored = await this.writer.write(
      request,
      { ...query, format: bodyFormat(request) },
      { idempotencyKey, scope: callerName(request) },
      { ...callOptions(request), mayReadRecords: scopesOf(request).includes('records:read') },
    );
    const outcome: unknown = stored;
    return { data: outcome as ImportResponse['data'] };
  }
}

import {
  Controller,
  Example,
  Get,
  Queries,
  Request,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { LogReader } from '../services/logs/log-reader.js';
import { callOptions } from './call-options.js';
import type { MomentText, RecordIdText } from './parameters.js';
import { acceptedOf } from './record-formats.js';
import { sendStreamed } from './send-streamed.js';

/** What of the log. Nothing given is all of it, which REDCap may be long in collecting: give a range. */
export interface LogQuery {
  /** Only from this moment on; its whole minute is included. */
  from?: MomentText;
  /** Only up to this moment; its whole minute, or with a date alone the whole day, is included. */
  to?: MomentText;
  /** Only entries of this type; `record` is every change of a record. */
  type?:
    | 'export'
    | 'manage'
    | 'user'
    | 'record'
    | 'record_add'
    | 'record_edit'
    | 'record_delete'
    | 'lock_record'
    | 'page_view';
  /**
   * Only what this user did.
   * @minLength 1
   * @maxLength 255
   */
  user?: string;
  /** Only what was done to this record. */
  record?: RecordIdText;
  /**
   * Only what was done to records of this data access group, by its number.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   */
  dag?: number;
}

/** One entry of the log. It names what was changed, and has no value of it. */
export interface LogEntryResponse {
  /**
   * When, to the minute: with an offset where the time zone of REDCap's server is known, else in the server's own time.
   * @example "2026-01-31T08:15:00+01:00"
   */
  at: string;
  /** @example "ada" */
  user: string;
  /** What was done. */
  kind:
    | 'record_created'
    | 'record_updated'
    | 'record_deleted'
    | 'record_locked'
    | 'file_uploaded'
    | 'file_downloaded'
    | 'file_deleted'
    | 'data_exported'
    | 'user_changed'
    | 'page_viewed'
    | 'design_or_management'
    | 'other';
  /** Whether it came through the API, an import, or from a person at a form. */
  origin: 'api' | 'import' | 'form';
  /**
   * The record that it was done to.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  record?: string;
  /** The unique event name; longitudinal projects, where the log says it. */
  event?: string;
  /** @isInt */
  repeatInstance?: number;
  /**
   * The instruments of the fields.
   * @example ["demographics"]
   */
  instruments?: string[];
  /**
   * The names of the fields that were changed.
   * @example ["age"]
   */
  fields?: string[];
}

/** The log, the newest entry first. */
export interface LogResponse {
  data: LogEntryResponse[];
  /**
   * The time zone of REDCap's server, as `CAPTURE_TIME_ZONE` says it; `null` when it does not.
   * @example "Europe/Paris"
   */
  timeZone: string | null;
}

@Route('api/v1/logs')
@Tags('Log')
@Security('apiKey', ['logs:read'])
@Security('cookieAuth', ['logs:read'])
export class LogsController extends Controller {
  constructor(private readonly logs: LogReader) {
    super();
  }

  /**
   * What was done in the project, the newest first: who did what to which record, event, instance and fields, without a
   * value. As `application/json` (the default) or `application/x-ndjson` (an entry a line). The answer is a stream of any
   * length. One that breaks off ends with a broken connection, never cleanly. Reading the log adds an entry to it.
   * @summary Read the log
   */
  @Get()
  @SuccessResponse(200, 'The entries')
  @Example<LogResponse>({
    data: [
      {
        at: '2026-01-31T08:15:00+01:00',
        user: 'ada',
        kind: 'record_updated',
        origin: 'api',
        record: 'COHORT-2026-PARTICIPANT-0001',
        instruments: ['demographics'],
        fields: ['age'],
      },
    ],
    timeZone: 'Europe/Paris',
  })
  async readLog(@Request() request: ExpressRequest, @Queries() query: LogQuery): Promise<LogResponse> {
    const format = acceptedOf(request, ['json', 'ndjson']);
    return sendStreamed(request, () => this.logs.open({ ...query, format }, callOptions(request)));
  }
}

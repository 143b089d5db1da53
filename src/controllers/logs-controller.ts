import { Example, Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { MomentText, RecordIdText } from './wire-types.js';
import { acceptedOf } from './record-formats.js';
import { sendStreamed } from '../http/send-streamed.js';
import { setNextLink } from './streamed-answers.js';

/**
 * Selects log entries. Without options the whole log is returned, which may take REDCap a long time: specify a range.
 */
export interface LogQuery {
  /** Only entries from this time on, including its whole minute. */
  from?: MomentText;
  /** Only entries up to this time, including its whole minute, or the whole day of a date without a time. */
  to?: MomentText;
  /** Only entries of this type. `record` includes every change to a record. */
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
   * Only actions of this user.
   * @minLength 1
   * @maxLength 255
   */
  user?: string;
  /** Only actions on this record. */
  record?: RecordIdText;
  /**
   * Only actions on records of the data access group with this number.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   */
  dag?: number;
  /**
   * Only the newest entries, this many.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   */
  limit?: number;
  /**
   * The number of entries per page. 100 by default if `cursor` is given.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  pageSize?: number;
  /**
   * The end of the previous page, as given in its `Link` header.
   * @pattern ^[A-Za-z0-9_-]+$ must be the cursor of a Link header, unchanged
   * @maxLength 4000
   */
  cursor?: string;
}

/** One log entry. It names the fields that were changed, but never contains their values. */
export interface LogEntryResponse {
  /**
   * The time, to the minute: with an offset if the time zone of REDCap's server is configured, otherwise in the
   * server's local time.
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
    | 'record_signed'
    | 'record_randomized'
    | 'file_uploaded'
    | 'file_downloaded'
    | 'file_deleted'
    | 'data_exported'
    | 'user_changed'
    | 'page_viewed'
    | 'design_or_management'
    | 'other';
  /** Whether the action came through the API, an import, or a form. */
  origin: 'api' | 'import' | 'form';
  /**
   * The record that the action applied to.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  record?: string;
  /** The unique event name. Longitudinal projects only, if the log has it. */
  event?: string;
  /** @isInt */
  repeatInstance?: number;
  /**
   * The instruments of the changed fields.
   * @example ["demographics"]
   */
  instruments?: string[];
  /**
   * The names of the changed fields.
   * @example ["age"]
   */
  fields?: string[];
}

/** The log, newest entry first. */
export interface LogResponse {
  data: LogEntryResponse[];
  /**
   * The time zone of REDCap's server, from `CAPTURE_TIME_ZONE`; `null` if not configured.
   * @example "Europe/Paris"
   */
  timeZone: string | null;
}

@Route('api/v1/logs')
@Tags('Log')
@Security('apiKey', ['logs:read'])
export class LogsController extends CrfController {
  /**
   * Returns the log of the project, newest entry first: who did what to which record, event, instance and fields,
   * without values. The response is `application/json` (the default) or `application/x-ndjson` (one entry per line), as
   * a stream of any length. If it fails midway, the connection is broken rather than closed cleanly. Reading the log
   * adds an entry to it.
   *
   * With `pageSize` the response is one page, and `Link` with `rel="next"` leads to the next, older one. An entry may be
   * repeated on the next page if the log grows meanwhile, but none is left out.
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
  async listLogEntries(@Queries() query: LogQuery): Promise<LogResponse> {
    const format = acceptedOf(this.request, ['json', 'ndjson']);
    return sendStreamed(
      this.request,
      () => this.crf.logReader.open({ ...query, format }, this.call),
      (response, { nextCursor }) =>
        nextCursor !== undefined && setNextLink(this.request, response, nextCursor),
    );
  }
}

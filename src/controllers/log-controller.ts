import { Example, Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { LogPageQuery, ReadLogEntry } from '../services/log/log-reader.js';
import { CrfController } from './crf-controller.js';
import { acceptedOf } from './record-formats.js';
import { sendStreamed } from '../http/send-streamed.js';
import { setNextLink } from './streamed-answers.js';

/** The log, newest entry first. */
export interface LogResponse {
  data: ReadLogEntry[];
  /**
   * The time zone of REDCap's server, from `CAPTURE_TIME_ZONE`; `null` if not configured.
   * @example "Europe/Paris"
   */
  timeZone: string | null;
  /** The `cursor` of the next page; absent on the last one, and without pages. */
  next?: string;
}

@Route('api/v1/log')
@Tags('Log')
@Security('apiKey', ['log:read'])
export class LogController extends CrfController {
  /**
   * Returns the log of the project, newest entry first: who did what to which record, event, instance and fields,
   * without values. The response is `application/json` (the default) or `application/x-ndjson` (one entry per line), as
   * a stream of any length. If it fails midway, the connection is broken rather than closed cleanly. Reading the log
   * adds an entry to it.
   *
   * With `pageSize` the response is one page. `next`, in JSON after the entries, is the `cursor` of the next, older one,
   * to which `Link` with `rel="next"` leads. An entry may be
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
        type: 'record_edit',
        action: 'record_updated',
        origin: 'api',
        record: 'COHORT-2026-PARTICIPANT-0001',
        instruments: ['demographics'],
        fields: ['age'],
      },
    ],
    timeZone: 'Europe/Paris',
  })
  async listLogEntries(@Queries() query: LogPageQuery): Promise<LogResponse> {
    const format = acceptedOf(this.request, ['json', 'ndjson']);
    return sendStreamed(
      this.request,
      () => this.crf.logReader.open({ ...query, format }, this.call),
      (response, { nextCursor }) =>
        nextCursor !== undefined && setNextLink(this.request, response, nextCursor),
    );
  }
}

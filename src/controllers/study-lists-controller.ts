import { Example, Get, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { DueVisit } from '../services/summary/due-visits.js';
import type { LimitQuery } from '../records/export/page-query.js';
import type { FormFilter, ListFilter, VisitFilter } from '../services/summary/list-filter.js';
import { type ListedForm, NOT_COMPLETE } from '../services/summary/listed-forms.js';
import type { Problem } from '../http/send-problem.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';

/** Selects visits, and how they are written. */
export interface DueQuery extends VisitFilter, DownloadQuery, LimitQuery {}

/** The visits that are due. */
export interface DueResponse {
  data: DueVisit[];
  /** The day on which the states are as they say, `YYYY-MM-DD`. */
  asOf: string;
  /** Whether the study has a schedule (`STUDY_FILE`). Without one, no visit is due. */
  hasSchedule: boolean;
}

/** Selects forms, and how they are written. */
export interface IncompleteQuery extends FormFilter, DownloadQuery, LimitQuery {
  /** Only forms of this status; of all three by default. */
  status?: (typeof NOT_COMPLETE)[number];
}

/** The forms that are not complete. */
export interface IncompleteResponse {
  data: ListedForm[];
}

@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['records:read'])
@Response<Problem>(400, 'invalid_request: an unknown or malformed parameter')
@Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
export class StudyListsController extends CrfController {
  /**
   * Lists the visits that the schedule of the study expects of a record, and of which a form has not begun: those that
   * are overdue, due within the next seven days, or later. The list is that of the dashboard, in the order of the
   * project. The response is a stream in `application/json`, `application/x-ndjson` or `text/csv`, and contains no
   * values of records other than the day on which each joined.
   * @summary List the visits that are due
   */
  @Get('due')
  @SuccessResponse(200, 'The visits')
  @Example<DueResponse>({
    data: [
      {
        record: 'TRIAL-2026-PARTICIPANT-0010',
        dag: 'krakow',
        joined: '2025-11-29',
        event: 'week_1_arm_1',
        state: 'overdue',
        day: '2025-12-06',
        opens: '2025-12-06',
        closes: '2025-12-09',
        instruments: ['quality_of_life'],
      },
    ],
    asOf: '2026-11-03',
    hasSchedule: true,
  })
  async listDueVisits(@Queries() query: DueQuery): Promise<DueResponse> {
    return this.#send('due', 'due', query);
  }

  /**
   * Lists the forms that are not complete: saved as incomplete or unverified, or not begun although the record has the
   * event of the form, unless the plan of the study (`STUDY_FILE`) says that the form is optional. The list is that of
   * the dashboard: by record, event and instrument, in the order of the project. The response is a stream in
   * `application/json`, `application/x-ndjson` or `text/csv`, and contains no values of records other than the day on
   * which each joined.
   * @summary List the forms that are not complete
   */
  @Get('incomplete')
  @SuccessResponse(200, 'The forms')
  @Example<IncompleteResponse>({
    data: [
      {
        record: 'TRIAL-2026-PARTICIPANT-0010',
        dag: 'krakow',
        joined: '2025-11-29',
        event: 'week_1_arm_1',
        instrument: 'quality_of_life',
        instance: null,
        status: 'notBegun',
      },
    ],
  })
  async listIncompleteForms(@Queries() query: IncompleteQuery): Promise<IncompleteResponse> {
    const { status, ...others } = query;
    return this.#send('forms', 'incomplete', {
      ...others,
      statuses: status === undefined ? NOT_COMPLETE : [status],
    });
  }

  #send<T>(kind: 'due' | 'forms', name: string, query: ListFilter & DownloadQuery & LimitQuery): Promise<T> {
    const { limit, trailer, spreadsheetSafe: _safe, format: _format, ...filter } = query;
    const { fileName, ...form } = exportForm(this.request, query, name);
    const open = () => this.crf.lists.open(kind, filter, this.call, { ...form, limit, trailer });
    return sendRecords(this.request, open, fileName);
  }
}

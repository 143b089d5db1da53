import { Example, Get, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { DueVisit } from '../services/summary/due-visits.js';
import type { VisitFilter } from '../services/summary/list-filter.js';
import type { Problem } from '../http/send-problem.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';

/** Selects visits, and how they are written. */
export interface DueQuery extends VisitFilter, DownloadQuery {}

/** The visits that are due. */
export interface DueResponse {
  data: DueVisit[];
  /** The day on which the states are as they say, `YYYY-MM-DD`. */
  asOf: string;
  /** Whether the study has a schedule (`STUDY_FILE`). Without one, no visit is due. */
  hasSchedule: boolean;
}

@Route('api/v1/project/due')
@Tags('Project')
export class DueController extends CrfController {
  /**
   * Lists the visits that the schedule of the study expects of a record, and of which a form has not begun: those that
   * are overdue, due within the next seven days, or later. The list is that of the dashboard, in the order of the
   * project. The response is a stream in `application/json`, `application/x-ndjson` or `text/csv`, and contains no
   * values of records other than the day on which each joined.
   * @summary List the visits that are due
   */
  @Get()
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The visits')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<DueResponse>({
    data: [
      {
        record: 'TRIAL-2026-PARTICIPANT-0010',
        site: 'krakow',
        joined: '2025-11-29',
        event: 'week_1_arm_1',
        state: 'overdue',
        day: '2025-12-06',
        opens: '2025-12-06',
        closes: '2025-12-09',
        missing: ['quality_of_life'],
      },
    ],
    asOf: '2026-11-03',
    hasSchedule: true,
  })
  async listDueVisits(@Queries() query: DueQuery): Promise<DueResponse> {
    const { format: _format, spreadsheetSafe: _safe, ...filter } = query;
    const { fileName, ...form } = exportForm(this.request, query, 'due');
    return sendRecords(this.request, () => this.crf.lists.open('due', filter, this.call, form), fileName);
  }
}

import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ReportForm, ReportNumber } from '../gateways/redcap/crf-client.js';
import { CrfController } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import type { RecordsResponse } from './records-controller.js';
import { attachment } from '../http/file-headers.js';
import { sendStreamed } from '../http/send-streamed.js';

/** The form in which a report is returned. */
export interface ReportQuery extends ReportForm, DownloadQuery {}

@Route('api/v1/reports')
@Tags('Reports')
export class ReportsController extends CrfController {
  /**
   * Returns the rows of a report that is defined in REDCap, as `application/json` (the default), `application/x-ndjson`
   * (one row per line) or `text/csv`, selected with `Accept`. The report itself determines the records, their order and
   * the fields. The response is a stream of any length. If it fails midway, the connection is broken rather than closed
   * cleanly.
   * @param report the number of the report, as shown in REDCap's list of reports
   * @summary Get the rows of a report
   */
  @Get('{report}')
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The rows')
  @Response<Problem>(404, 'report_not_found: the project has no such report')
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async getReport(@Path() report: ReportNumber, @Queries() query: ReportQuery): Promise<RecordsResponse> {
    const { fileName, ...form } = exportForm(this.request, query, `report-${report}`);
    return sendStreamed(
      this.request,
      () => this.crf.fileService.openReport(report, { ...query, ...form }, this.call),
      (response) => fileName !== undefined && response.setHeader('Content-Disposition', attachment(fileName)),
    );
  }
}

import {
  Controller,
  Example,
  Get,
  Path,
  Queries,
  Request,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { ReportExporter } from '../services/reports/report-exporter.js';
import { callOptions } from './call-options.js';
import type { ReportNumber } from './parameters.js';
import { exportForm } from './record-formats.js';
import type { RecordsResponse } from './records-controller.js';
import { attachment } from '../http/file-headers.js';
import { sendStreamed } from './send-streamed.js';

/** How a report is written. */
export interface ReportQuery {
  /** Codes of choices, or their labels. `raw` by default. */
  rawOrLabel?: 'raw' | 'label';
  /** Names or labels in the header of a CSV. `raw` by default. */
  rawOrLabelHeaders?: 'raw' | 'label';
  /** With labels: the label of a checked choice, or nothing, instead of `Checked` and `Unchecked`. */
  exportCheckboxLabel?: boolean;
  /** What stands between the cells of a CSV; the comma by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /** How numbers are written; as stored by default. */
  decimalCharacter?: ',' | '.';
  /** What comes, instead of what `Accept` says: for links in a browser, which cannot choose it. */
  format?: 'json' | 'ndjson' | 'csv';
  /** NDJSON only: a last line `{"_complete":true,"records":N}` shows that the report is complete. */
  trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would take for formulas; plain numbers stay. By default where
   * a browser downloads the CSV as a page; programs get REDCap's bytes as they are.
   */
  spreadsheetSafe?: boolean;
}

@Route('api/v1/reports')
@Tags('Reports')
export class ReportsController extends Controller {
  constructor(private readonly reports: ReportExporter) {
    super();
  }

  /**
   * The rows of a report that was defined in REDCap, as `application/json` (the default), `application/x-ndjson` (a row a
   * line) or `text/csv`: say which with `Accept`. Which records and fields it has is a matter of the report. The answer is
   * a stream of any length. One that breaks off ends with a broken connection, never cleanly.
   * @param reportId the number of the report, as REDCap shows it in the list of reports
   * @summary Export a report
   */
  @Get('{reportId}')
  @Security('apiKey', ['records:read'])
  @Security('cookieAuth', ['records:read'])
  @SuccessResponse(200, 'The rows')
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async exportReport(
    @Request() request: ExpressRequest,
    @Path() reportId: ReportNumber,
    @Queries() query: ReportQuery,
  ): Promise<RecordsResponse> {
    const { fileName, ...form } = exportForm(request, query, `report-${reportId}`);
    return sendStreamed(
      request,
      () => this.reports.open(reportId, { ...query, ...form }, callOptions(request)),
      (response) => fileName !== undefined && response.setHeader('Content-Disposition', attachment(fileName)),
    );
  }
}

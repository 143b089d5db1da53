import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { Problem } from './problem.js';
import type { ReportNumber } from './wire-types.js';
import { exportForm } from './record-formats.js';
import type { RecordsResponse } from './records-controller.js';
import { attachment } from '../http/file-headers.js';
import { sendStreamed } from '../http/send-streamed.js';

/** The form of an exported report. */
export interface ReportQuery {
  /** Exports the codes of choices (`raw`) or their labels (`label`). `raw` by default. */
  rawOrLabel?: 'raw' | 'label';
  /** CSV only: field names (`raw`) or labels (`label`) in the header. `raw` by default. */
  rawOrLabelHeaders?: 'raw' | 'label';
  /**
   * With `rawOrLabel=label`: the label of a checked choice, or an empty value, instead of `Checked` and `Unchecked`.
   */
  exportCheckboxLabel?: boolean;
  /** CSV only: the delimiter; a comma by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /** The decimal separator of numbers; as stored by default. */
  decimalCharacter?: ',' | '.';
  /** The format, in place of `Accept`: for links in a browser, which cannot set that header. */
  format?: 'json' | 'ndjson' | 'csv';
  /** NDJSON only: adds a last line `{"_complete":true,"records":N}`, which shows that the report is complete. */
  trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would treat as formulas; plain numbers are unchanged.
   * On by default when a browser downloads the CSV; programs get REDCap's bytes unchanged.
   */
  spreadsheetSafe?: boolean;
}

@Route('api/v1/reports')
@Tags('Reports')
export class ReportsController extends CrfController {
  /**
   * Exports the rows of a report that is defined in REDCap, as `application/json` (the default), `application/x-ndjson`
   * (one row per line) or `text/csv`, selected with `Accept`. The report itself determines the records and fields. The
   * response is a stream of any length. If it fails midway, the connection is broken rather than closed cleanly.
   * @param reportId the number of the report, as shown in REDCap's list of reports
   * @summary Export a report
   */
  @Get('{reportId}')
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The rows')
  @Response<Problem>(404, 'report_not_found: the project has no such report')
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async exportReport(
    @Path() reportId: ReportNumber,
    @Queries() query: ReportQuery,
  ): Promise<RecordsResponse> {
    const { fileName, ...form } = exportForm(this.request, query, `report-${reportId}`);
    return sendStreamed(
      this.request,
      () => this.crf.reportExporter.open(reportId, { ...query, ...form }, this.call),
      (response) => fileName !== undefined && response.setHeader('Content-Disposition', attachment(fileName)),
    );
  }
}

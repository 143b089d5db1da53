import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type { ChangeRange, FilterLogicText } from '../gateways/redcap/crf-client.js';
import { CrfController } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import type { MisfitList } from '../records/typed/misfits.js';
import type { LimitQuery, PageQuery } from '../records/export/page-query.js';
import type { ValueOptions } from '../records/typed/typed-exporter.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';

/** Which rows of an instrument to export, and how. */
export interface InstrumentRowsQuery extends ChangeRange, LimitQuery, ValueOptions, DownloadQuery, PageQuery {
  /** Only these records. */
  records?: RecordIdText[];
  /** Only these events. Longitudinal projects only. */
  events?: EventNameText[];
  /** Only records for which this expression is true. Must be percent-encoded. */
  filterLogic?: FilterLogicText;
  /** Leaves the form status of an instrument that was never saved empty instead of `0`. */
  exportBlankForGrayFormStatus?: boolean;
  /**
   * The number of records per call to REDCap.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
}

/** One row of an instrument: text values, or typed ones with `values=typed`. */
export interface InstrumentRowResponse {
  [column: string]: unknown;
}

/** The rows. */
export interface InstrumentRowsResponse {
  data: InstrumentRowResponse[];
  /** Values that do not fit the type of their field and stayed text. Absent if there are none. */
  misfits?: MisfitList;
  /** The `cursor` of the next page; absent on the last one, and without pages. */
  next?: string;
}

@Route('api/v1/instruments')
@Tags('Records')
export class InstrumentsController extends CrfController {
  /**
   * Exports the rows of one instrument as a separate table: record id, event, repeat instance, the fields of the
   * instrument and its form status, without columns of other instruments. The response is `application/json`,
   * `application/x-ndjson` or `text/csv`, as a stream of any length, in the order of an export, with pages as there.
   *
   * @param instrument the unique name of the instrument
   * @summary Export the rows of an instrument
   */
  @Get('{instrument}/rows')
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The rows')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<InstrumentRowsResponse>({
    data: [
      {
        record_id: 'COHORT-2026-PARTICIPANT-0001',
        age: 42,
        languages: ['1', '5'],
        demographics_complete: '2',
      },
    ],
  })
  async exportInstrumentRows(
    @Path() instrument: InstrumentNameText,
    @Queries() query: InstrumentRowsQuery,
  ): Promise<InstrumentRowsResponse> {
    const { fileName, ...form } = exportForm(this.request, query, instrument);
    return sendRecords(
      this.request,
      () => this.crf.pager.open({ ...query, ...form, instrument }, this.call),
      fileName,
    );
  }
}

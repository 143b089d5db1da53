import {
  Controller,
  Example,
  Get,
  Path,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { TypedExporter } from '../services/typed-rows/typed-exporter.js';
import { callOptions } from './call-options.js';
import type {
  EventNameText,
  FilterLogicText,
  InstrumentNameText,
  RecordIdText,
  ServerTimeText,
} from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { exportForm } from './record-formats.js';
import { sendRecords } from './send-records.js';

/** Which rows of an instrument, and how they are written. */
export interface InstrumentRowsQuery {
  /** Only these records. */
  records?: RecordIdText[];
  /** Only these events; longitudinal projects. */
  events?: EventNameText[];
  /** Only records for which this expression is true. Percent-encode it. */
  filterLogic?: FilterLogicText;
  /**
   * `raw`: text, as REDCap has it; `typed`: numbers, booleans, ISO 8601 dates and times, the codes of a checkbox field as one
   * list, null for nothing. What does not fit its type stays text, and is named in `misfits` behind the rows. `raw` by default.
   */
  values?: 'raw' | 'typed';
  /** Typed values only: codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /** Typed values only: `code` gives `{"missing":"UNK"}` for a missing data code, `null` gives null. `code` by default. */
  missing?: 'code' | 'null';
  /** Only records created or changed after this moment. */
  dateRangeBegin?: ServerTimeText;
  /** Only records created or changed before this moment. */
  dateRangeEnd?: ServerTimeText;
  /** Form status of an instrument that was never saved: empty instead of `0`. */
  exportBlankForGrayFormStatus?: boolean;
  /**
   * Records a call to REDCap.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
  /**
   * Only the first rows.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 10
   */
  limit?: number;
  /** What comes, instead of what `Accept` says: for links in a browser, which cannot choose it. */
  format?: 'json' | 'ndjson' | 'csv';
  /** NDJSON only: a last line `{"_complete":true,"records":N}` shows that the rows are complete; it has `misfits`, too. */
  trailer?: boolean;
  /** CSV only: puts an apostrophe before cells that a spreadsheet would take for formulas. */
  spreadsheetSafe?: boolean;
}

/** One row of an instrument: text, or with `values=typed` what its fields are. */
export interface InstrumentRowResponse {
  [column: string]: unknown;
}

/** The rows. */
export interface InstrumentRowsResponse {
  data: InstrumentRowResponse[];
  /** Values that did not fit the type of their field, and stayed text; only where there are any. */
  misfits?: MisfitsResponse;
}

/** Values that did not fit. */
export interface MisfitsResponse {
  /** @isInt */
  count: number;
  /** How many, by export column. */
  fields: { [column: string]: number };
  /** Where the first hundred stand. */
  first: MisfitResponse[];
}

/** Where a value stands that did not fit. */
export interface MisfitResponse {
  record: string;
  event: string;
  /** @isInt */
  instance: number | null;
  field: string;
}

@Route('api/v1/instruments')
@Tags('Records')
export class InstrumentsController extends Controller {
  constructor(private readonly rows: TypedExporter) {
    super();
  }

  /**
   * The rows of one instrument as a table of its own: record id, event, repeat instance, its fields and its form status, and
   * no column of another form. As `application/json`, `application/x-ndjson` or `text/csv`; a stream of any length.
   *
   * @param instrument the unique name of the instrument
   * @summary Export the rows of an instrument
   */
  @Get('{instrument}/rows')
  @Security('apiKey', ['records:read'])
  @Security('cookieAuth', ['records:read'])
  @SuccessResponse(200, 'The rows')
  @Response<Problem>(400, 'invalid_request: an unknown instrument or parameter', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export', undefined, PROBLEM)
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
    @Request() request: ExpressRequest,
    @Path() instrument: InstrumentNameText,
    @Queries() query: InstrumentRowsQuery,
  ): Promise<InstrumentRowsResponse> {
    const { fileName, ...form } = exportForm(request, query, instrument);
    return sendRecords(
      request,
      () => this.rows.openInstrument({ ...query, ...form, instrument }, callOptions(request)),
      fileName,
    );
  }
}

import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type { ChangeRange, FilterLogicText } from '../gateways/redcap/crf-client.js';
import { CrfController } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import type { DatasetColumn } from '../records/typed/dataset-json.js';
import type { MisfitList } from '../records/typed/misfits.js';
import type { LimitQuery, PageQuery } from '../records/export/page-query.js';
import type { ValueOptions } from '../records/typed/typed-exporter.js';
import { exportForm, type DownloadQuery } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';

/** Which rows of an instrument to export. */
export interface InstrumentDatasetQuery extends ChangeRange, LimitQuery {
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

/** Which rows of an instrument to export, and how. */
export interface InstrumentRowsQuery extends InstrumentDatasetQuery, ValueOptions, DownloadQuery, PageQuery {}

/** A dataset of CDISC Dataset-JSON 1.1. */
export interface DatasetResponse {
  /** When the dataset was created, as ISO 8601 in UTC. */
  datasetJSONCreationDateTime: string;
  datasetJSONVersion: '1.1.0';
  /** `IG.` and the unique name of the instrument. */
  itemGroupOID: string;
  /** The unique name of the instrument. */
  name: string;
  /** The label of the instrument. */
  label: string;
  /** The columns, in the order of the cells of a row. */
  columns: DatasetColumn[];
  /** The cells of each row: text, numbers, booleans and null. */
  rows: unknown[][];
  /** The number of rows. */
  records: number;
  /** Values that do not fit the type of their column and are null. Absent if there are none. */
  misfits?: MisfitList;
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

  /**
   * Exports the rows of one instrument as a dataset of CDISC Dataset-JSON 1.1, as a stream of any length, in the
   * order of an export: dates and times as ISO 8601, yes and no and each choice of a checkbox field as booleans, codes as
   * text, missing data codes as null. The number of rows follows them.
   *
   * @param instrument the unique name of the instrument
   * @summary Export the rows of an instrument as Dataset-JSON
   */
  @Get('{instrument}/dataset')
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The dataset')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<DatasetResponse>({
    datasetJSONCreationDateTime: '2026-11-27T12:00:00.000Z',
    datasetJSONVersion: '1.1.0',
    itemGroupOID: 'IG.demographics',
    name: 'demographics',
    label: 'Demographics',
    columns: [
      {
        itemOID: 'IT.demographics.record_id',
        name: 'record_id',
        label: 'Record ID',
        dataType: 'string',
        keySequence: 1,
      },
      { itemOID: 'IT.demographics.age', name: 'age', label: 'Age', dataType: 'integer' },
    ],
    rows: [['COHORT-2026-PARTICIPANT-0001', 42]],
    records: 1,
  })
  async exportInstrumentDataset(
    @Path() instrument: InstrumentNameText,
    @Queries() query: InstrumentDatasetQuery,
  ): Promise<DatasetResponse> {
    return sendRecords(this.request, () =>
      this.crf.typedRows.openDataset({ ...query, instrument }, this.call),
    );
  }
}

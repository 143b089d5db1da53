import {
  Body,
  Example,
  Get,
  Header,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import type { ImportOutcome, SentImportOptions } from '../records/import/import-request.js';
import type { MisfitList } from '../records/typed/misfits.js';
import type { ExportManifest } from '../services/export-manifests.js';
import type { IdempotencyKeyText } from '../services/idempotency/count-once.js';
import type { ExportRecordsQuery, ManifestQuery, QueryRecordsRequest } from './records-queries.js';
import { exportForm, importFormat } from './record-formats.js';
import { sendRecords } from './streamed-answers.js';

/**
 * One row of a record, for one event and repeat instance. Every value is a string, empty if missing, except
 * `redcap_repeat_instance`, which is an integer on repeating rows.
 */
export interface RecordRowResponse {
  [column: string]: string | number;
}

/**
 * One row with `values=typed`: numbers, booleans, dates in ISO 8601, lists of codes for checkboxes, and null for what is
 * missing. With `labels=true`, choices are `{ "code": …, "label": … }`.
 */
export interface TypedRowResponse {
  [column: string]: unknown;
}

/** The records: text rows, or typed ones with `values=typed`. */
export interface RecordsResponse {
  data: RecordRowResponse[] | TypedRowResponse[];
  /** Typed values only: the values that do not fit the type of their field and stayed text. */
  misfits?: MisfitList;
  /** The `cursor` of the next page; absent on the last one, and without pages. */
  next?: string;
}

/** What de-identification did to the columns of an export. */
export interface ManifestResponse {
  data: ExportManifest;
}

/** The result of an import. */
export interface ImportResponse {
  data: ImportOutcome;
}

@Route('api/v1/records')
@Tags('Records')
@Security('apiKey', ['records:read'])
export class RecordsController extends CrfController {
  /**
   * Exports records as `application/json` (the default), `application/x-ndjson` (one record per line) or `text/csv`,
   * selected with `Accept`. The response is a stream of any length. If the export fails midway, the connection is
   * broken rather than closed cleanly, so a client that reaches the end of the response has the whole export. Rows are in
   * REDCap's order: by record, and within one by event, instrument and instance.
   *
   * With `pageSize` the response is one page of whole records, in REDCap's order; the selection must include the record id
   * field. `next`, in JSON after the rows, is the `cursor` of the next page, to which `Link` with `rel="next"` leads.
   * `X-Records-Changed: true` reports that records were added to or deleted from the range of the previous pages.
   *
   * A list can be written as `fields=a,b`, `fields=a&fields=b`, `fields[]=a&fields[]=b` or `fields[0]=a&fields[1]=b`.
   * An empty list or an empty `filterLogic` is refused: omit the parameter to export everything.
   *
   * `filterLogic` is checked before it is sent. An unclosed bracket, an unknown field, event or choice, and a
   * comparison that can never be true are refused with their position. Syntax that this service does not know is passed
   * on unchanged, and `X-Filter-Logic-Note` reports it.
   * @summary Export records
   */
  @Get()
  @SuccessResponse(200, 'The records')
  @Response<Problem>(400, 'invalid_request, upstream_rejected: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async exportRecords(@Queries() query: ExportRecordsQuery): Promise<RecordsResponse> {
    const { fileName, ...form } = exportForm(this.request, query);
    return sendRecords(this.request, () => this.crf.pager.open({ ...query, ...form }, this.call), fileName);
  }

  /**
   * Describes an export under a policy that de-identifies, for the table that `GET /records` returns with the same
   * selection: which rule changed which columns, and how many cells with a value it met there. A rule that is for no
   * column, or met no value, is a warning. The records are read again, and counted as they are now. Contains no values,
   * and no field that the caller does not see.
   * @summary Describe a de-identified export
   */
  @Get('manifest')
  @SuccessResponse(200, 'The manifest')
  @Response<Problem>(400, 'invalid_request, upstream_rejected: an unknown or malformed parameter')
  @Response<Problem>(404, 'not_deidentified: the values of your exports are as they are stored')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<ManifestResponse>({
    data: {
      madeAt: '2026-11-27T09:30:00.000Z',
      policy: 'analyst',
      preset: 'limited',
      program: { name: 'crf-service', version: '1.0.0' },
      digests: {
        policy: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        lock: 'sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
        shownFields: 'sha256:fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
        program: 'sha256:a4e624d686e03ed2767c0abd85c14426b0b1157d2ce81d27bb4fe4f6f01d688a',
      },
      pseudonyms: 'p5ee3-',
      rows: 2,
      rules: [
        { rule: 'record_id', does: 'record ids are pseudonyms', columns: { record_id: 2 } },
        { rule: 'age', does: 'high ages are put together', columns: { age: 0 } },
      ],
      warnings: ['age met no value in this export'],
    },
  })
  async describeExport(@Queries() query: ManifestQuery): Promise<ManifestResponse> {
    return { data: await this.crf.manifests.describe(query, this.call) };
  }

  /**
   * Exports records like `GET /records`, in the same order, with the options in the body: for lists of ids that are too
   * long for a URL. Changes nothing. An empty list is refused: omit it to export everything.
   * @summary Export records by a query in the body
   */
  @Post('query')
  @SuccessResponse(200, 'The records')
  @Response<Problem>(400, 'invalid_request, upstream_rejected: an unknown or malformed option')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, incomplete_export')
  @Example<RecordsResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  async queryRecords(@Body() body: QueryRecordsRequest): Promise<RecordsResponse> {
    const { format, spreadsheetSafe } = exportForm(this.request, body);
    const page = { ...body, format, spreadsheetSafe };
    return sendRecords(this.request, () => this.crf.pager.open(page, this.call));
  }

  /**
   * Imports records from `application/json` (`{ "records": [ … ] }`), `application/x-ndjson`, `text/csv`, or a sheet of
   * a workbook (`.xlsx`) of up to 2 MB. Every record is checked against the rule for record ids and the data dictionary while it is read. An import that fits
   * into one call to REDCap is stored completely or not at all. A larger one is sent in batches, and an error reports
   * what was stored before it and from which record to resume. Values outside the limits of
   * their field are stored, as in REDCap, and listed in `warnings`. With `dryRun` nothing is sent, and `warnings` lists
   * hidden values and required fields that stay empty too. With `changes` only the values that change are sent, and listed;
   * with `verify` they are read back. Both need `records:read`. `Idempotency-Key` makes it safe to send the
   * same request again. With `values=typed` it accepts, in JSON or NDJSON, what `GET /records?values=typed` and the
   * rows of an instrument return.
   * @param idempotencyKey makes it safe to send the same request again: a repeated request gets the first response, and
   * nothing is stored twice. Kept for 24 hours; a replayed response has counts but no ids
   * @summary Import records
   */
  @Post()
  @Security('apiKey', ['records:write'])
  @SuccessResponse(200, 'The result of the import')
  @Response<Problem>(400, 'invalid_request, upstream_rejected: an unknown or malformed parameter')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, import_interrupted, import_incomplete')
  @Example<ImportResponse>({ data: { count: 1, batches: 1 } })
  @Response<Problem>(
    409,
    'idempotency_key_in_use, import_outcome_unknown: the same request is still running, or was interrupted',
  )
  @Response<Problem>(413, 'payload_too_large: send the records in parts')
  @Response<Problem>(422, 'invalid_records, idempotency_key_reused: see errors')
  async importRecords(
    @Queries() query: SentImportOptions,
    @Header('Idempotency-Key') idempotencyKey?: IdempotencyKeyText,
  ): Promise<ImportResponse> {
    const data = await this.crf.writer.write(
      this.request,
      { ...query, format: importFormat(this.request) },
      this.requestKey(idempotencyKey),
      { ...this.call, mayReadRecords: this.scopes.includes('records:read') },
    );
    return { data };
  }
}

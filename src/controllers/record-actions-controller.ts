import {
  Body,
  Delete,
  Example,
  Get,
  Header,
  Patch,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type { IdempotencyKeyText } from '../services/idempotency/count-once.js';
import type { ImportRow, Randomization, RecordDocument, RecordPart } from '../gateways/redcap/crf-client.js';
import { doesMatch, type EntityTagsText, setEntityTag } from '../http/entity-tag.js';
import { CrfController, type CountResponse } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import type { MisfitList } from '../records/typed/misfits.js';
import type { ImportResponse, RecordRowResponse, TypedRowResponse } from './records-controller.js';
import type {
  ChangeRecordQuery,
  ChangeRecordRequest,
  DeleteRecordsRequest,
  RandomizeRecordRequest,
  RecordQuery,
  RenameRecordRequest,
} from './records-queries.js';

/** One record: its rows, or one document with `shape=nested`. */
export interface RecordResponse {
  data: readonly RecordRowResponse[] | readonly TypedRowResponse[] | RecordDocument<unknown>;
  /** Typed values only: the values that do not fit the type of their field and stayed text. */
  misfits?: MisfitList;
}

/** The id of the next record. */
export interface NextRecordIdResponse {
  data: {
    /** @example "1043" */
    record: string;
  };
}

/** The record under its new id. */
export interface RenamedResponse {
  data: {
    /** @example "COHORT-2026-PARTICIPANT-0251" */
    record: string;
  };
}

/** The result of a randomization. */
export interface RandomizationResponse {
  data: Randomization;
}

@Route('api/v1/records')
@Tags('Records')
@Security('apiKey', ['records:read'])
export class RecordActionsController extends CrfController {
  /**
   * Returns the id that REDCap would give to the next record. It is not reserved: two callers may get the same id. To
   * store a record under a new number, import it with `forceAutoNumber`.
   * @summary Suggest the id of the next record
   */
  @Get('next-id')
  @SuccessResponse(200, 'The id')
  @Example<NextRecordIdResponse>({ data: { record: '1043' } })
  async getNextRecordId(): Promise<NextRecordIdResponse> {
    return { data: { record: await this.crf.records.nextId(this.call) } };
  }

  /**
   * Returns the rows of one record, one for each event and repeat instance, in the order of an export. The list is empty
   * if the record has no row in the selection; a record that does not exist is a 404. Without parameters the response
   * has an `ETag`, which identifies this version of the record for the `If-Match` of a `PATCH`, and for `If-None-Match`,
   * which gets 304 while the record is the same. With `shape=nested` the record is one document: its events, the
   * instruments of each event, and the data entered in each instrument.
   * @param record the record id, percent-encoded
   * @summary Read a record
   */
  @Get('{record}')
  @SuccessResponse(200, 'The record')
  @Example<RecordResponse>({ data: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '42' }] })
  @Response<Problem>(400, 'invalid_request, upstream_rejected: an unknown field or event')
  async getRecord(@Path() record: RecordIdText, @Queries() query: RecordQuery): Promise<RecordResponse> {
    const { version, ...answer } = await this.crf.recordActions.read(record, query, this.call);
    // Not kept by caches, not even a browser's: only a program that holds the record saves its transfer (HDR-03).
    if (version !== undefined) setEntityTag(this.request, version, 'no-store');
    return answer;
  }

  /**
   * Changes values of a record. Only those that differ from what is stored are sent, and the response lists them; null
   * and blanks erase. With `If-Match`, nothing is stored if the record is no longer what `GET` returned with that
   * `ETag`: somebody has changed it since. `onConflict` chooses another rule, for which `seen` has the values that were
   * read. REDCap has no conditional changes, so that a change made in REDCap's own forms within the milliseconds between
   * the check and the change is not noticed.
   * @param record the record id, percent-encoded
   * @param ifMatch the `ETag` of an earlier read of the whole record: nothing is stored unless it still has it
   * @summary Change a record
   */
  @Patch('{record}')
  @Security('apiKey', ['records:read', 'records:write'])
  @SuccessResponse(200, 'What was changed')
  @Example<ImportResponse>({ data: { count: 1, batches: 1 } })
  @Response<Problem>(
    412,
    'precondition_failed: somebody has changed the record; errors names the fields of `seen`',
  )
  @Response<Problem>(422, 'invalid_records: see errors')
  @Response<Problem>(502, 'upstream_refused, upstream_invalid, import_interrupted, import_incomplete')
  async changeRecord(
    @Path() record: RecordIdText,
    @Queries() query: ChangeRecordQuery,
    @Body() body: ChangeRecordRequest,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ImportResponse> {
    const isCurrent = ifMatch === undefined ? undefined : (tag: string) => doesMatch(ifMatch, [tag]);
    // The service checks their values.
    const [rows, seen] = [body.rows as ImportRow[], body.seen as ImportRow[] | undefined];
    const options = { ...query, isCurrent, seen };
    return { data: await this.crf.recordChanges.change(record, rows, options, this.call) };
  }

  /**
   * Deletes a record, or the part of its data that the parameters select. This cannot be undone. A record that is
   * already deleted is a 404.
   * @param record the record id, percent-encoded
   * @summary Delete a record, or a part of it
   */
  @Delete('{record}')
  @Security('apiKey', ['records:delete'])
  @SuccessResponse(200, 'The number of records that were deleted completely or in part')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'invalid_request: an unknown instrument or event')
  async deleteRecord(@Path() record: RecordIdText, @Queries() query: RecordPart): Promise<CountResponse> {
    return {
      data: { count: await this.crf.recordActions.delete([record], { ...query, ...this.call }) },
    };
  }

  /**
   * Deletes several records, or a part of their data. If one of them does not exist, nothing is deleted. This cannot be
   * undone.
   * @param idempotencyKey makes it safe to send the same request again: a repeated request gets the first response.
   * Kept for 24 hours
   * @summary Delete records
   */
  @Post('delete')
  @Security('apiKey', ['records:delete'])
  @SuccessResponse(200, 'The number of records that were deleted completely or in part')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(400, 'invalid_request: an unknown instrument or event')
  @Response<Problem>(404, 'record_not_found: one of the records does not exist; errors names it')
  async deleteRecords(
    @Body() body: DeleteRecordsRequest,
    @Header('Idempotency-Key') idempotencyKey?: IdempotencyKeyText,
  ): Promise<CountResponse> {
    const { records, ...part } = body;
    const key = this.requestKey(idempotencyKey);
    const options = { ...part, ...this.call };
    return { data: { count: await this.crf.recordActions.delete(records, options, key) } };
  }

  /**
   * Gives a record another id, in all arms or in one. Without an `Idempotency-Key` the request is not safe to repeat,
   * because the old id no longer exists.
   * @param record the current record id, percent-encoded
   * @param idempotencyKey makes it safe to send the same request again: a repeated request gets the first response.
   * Kept for 24 hours
   * @summary Rename a record
   */
  @Post('{record}/rename')
  @Security('apiKey', ['records:write'])
  @SuccessResponse(200, 'The new record id')
  @Example<RenamedResponse>({ data: { record: 'COHORT-2026-PARTICIPANT-0251' } })
  @Response<Problem>(400, 'invalid_identifier, upstream_rejected: the new id is not valid')
  async renameRecord(
    @Path() record: RecordIdText,
    @Body() body: RenameRecordRequest,
    @Header('Idempotency-Key') idempotencyKey?: IdempotencyKeyText,
  ): Promise<RenamedResponse> {
    const key = this.requestKey(idempotencyKey);
    const options = { arm: body.arm, ...this.call };
    return { data: { record: await this.crf.recordActions.rename(record, body.newRecord, options, key) } };
  }

  /**
   * Assigns a record to a group of a trial, permanently. Not idempotent: a record that is already assigned is refused,
   * and a request that fails may still have assigned it. The stratification fields must be filled in. REDCap 15 or
   * later.
   * @param record the record id, percent-encoded
   * @summary Randomize a record
   */
  @Post('{record}/randomize')
  @Security('apiKey', ['records:write'])
  @SuccessResponse(200, 'The assignment')
  @Example<RandomizationResponse>({ data: { target: '1', alternativeTarget: '' } })
  @Response<Problem>(400, 'upstream_rejected: the record is already assigned or lacks a value')
  async randomizeRecord(
    @Path() record: RecordIdText,
    @Body() body: RandomizeRecordRequest,
  ): Promise<RandomizationResponse> {
    const { randomizationId, returnAlt } = body;
    const options = { returnAlt, ...this.call };
    return { data: await this.crf.recordActions.randomize(record, randomizationId, options) };
  }
}

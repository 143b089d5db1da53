import { Readable } from 'node:stream';
import { only } from '../../domain/identifiers/check-options.js';
import type {
  CallOptions,
  CrfClient,
  ExportProgress,
  RecordSelection,
} from '../../gateways/redcap/crf-client.js';
import { SELECTION } from '../../gateways/redcap/record-export-options.js';
import type { StreamedAnswer } from '../streaming/streamed-answer.js';
import type { AuditedOptions, AuditNotes } from '../audit-notes.js';
import { checkedFilter, filterNotesOf } from '../filter/checked-filter.js';
import { batchBytes } from './batch-bytes.js';
import { batchesFor, planBatches, type BatchClient, type BatchLimits, type BatchPlan } from './batch-plan.js';
import { exportInBatches, type Batch } from './batched-export.js';
import { firstRowsOf } from './first-rows.js';
import { generated } from '../streaming/generator-stream.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';
import {
  checkRowsForm,
  rowsAnswer,
  rowsNoted,
  upstreamFormat,
  type RecordsBody,
  type RowsForm,
} from '../formats/rows-answer.js';
import { openWholeExport } from './whole-export.js';

/** What to export, and in which form. */
export interface ExportRequest extends RecordSelection, RowsForm {
  readonly csvDelimiter?: RowsForm['csvDelimiter'];
  /**
   * Records per batch, 1 to 10,000. Without it the export is a single call, and falls back to batches if REDCap cannot
   * return it in one.
   */
  readonly batchSize?: number | undefined;
  /** Exports only the first rows, 1 to 1,000,000. REDCap's answer is cancelled after them. */
  readonly limit?: number | undefined;
  /** Called after each batch; not called for an export in a single call. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** The operations of the client that an exporter needs. Filter logic is checked only if the client can do so. */
export type ExportClient = BatchClient & Partial<Pick<CrfClient, 'checkFilterLogic'>>;

/** Exports any number of records in constant memory: REDCap's bytes are passed on, not parsed. */
export class RecordExporter {
  /** @param pace minimum speed of a reader whose progress is known; none by default */
  constructor(
    private readonly client: ExportClient,
    private readonly limits: Omit<BatchLimits, 'batchSize'> = {},
    private readonly pace: ReaderPaceOptions = { minBytesPerSecond: 0 },
  ) {}

  /**
   * Opens an export once its first bytes have arrived and look like an export; as NDJSON, once its first row is whole.
   * JSON is `{ "data": [ … ] }`, NDJSON has one row per line, and CSV is as REDCap writes it, and empty if there is
   * nothing to export.
   *
   * @throws {InvalidRequestError} `batchSize` or `limit` is out of range, the selection lacks the record id, `trailer`
   *   is given without NDJSON, `spreadsheetSafe` is given without CSV, or the filter logic is certainly wrong
   * @throws {CrfError} errors of `CrfClient.openRecords`
   */
  async open(request: ExportRequest, { audit, ...call }: AuditedOptions = {}): Promise<RecordsBody> {
    checkRowsForm(request);
    const filterLogic = await checkedFilter(this.client, request.filterLogic, call);
    const onRows = rowsNoted(request, audit);
    const body = await this.#open({ ...request, filterLogic, onRows }, call, audit);
    return { ...body, ...filterNotesOf(filterLogic) };
  }

  async #open(request: ExportRequest, call: CallOptions, audit?: AuditNotes): Promise<StreamedAnswer> {
    const { batchSize, limit } = request;
    const options = {
      ...only(request, SELECTION),
      ...call,
      ...this.limits,
      ...batchesFor(limit),
      batchSize,
      format: upstreamFormat(request),
    };

    if (batchSize !== undefined)
      return this.#inBatches(await planBatches(this.client, options), request, audit);
    const whole = await openWholeExport(this.client, options);
    if ('plan' in whole) return this.#inBatches(whole.plan, request, audit);
    if (limit === undefined) return rowsAnswer(request, whole.body, this.pace);
    return rowsAnswer(request, firstRowsOf(whole.body, options, limit), this.pace);
  }

  /**
   * Opens an export without records. Does not call REDCap.
   *
   * @throws {InvalidRequestError} `trailer` is given without NDJSON, or `spreadsheetSafe` without CSV
   */
  async openEmpty(request: ExportRequest): Promise<StreamedAnswer> {
    checkRowsForm(request);
    const bytes = request.format === 'csv' ? [] : [Buffer.from('[]')];
    return rowsAnswer(request, Readable.from(bytes, { objectMode: false }), this.pace);
  }

  async #inBatches(plan: BatchPlan, request: ExportRequest, audit?: AuditNotes): Promise<StreamedAnswer> {
    const { format, trailer, limit, onRows, onProgress } = request;
    const body = generated(plan.selection.signal, (signal) => {
      const batches = exportInBatches({ ...plan, selection: { ...plan.selection, signal } }, onProgress);
      return batchBytes(audited(batches, audit), { format, trailer, limit, onRows });
    });
    return rowsAnswer(request, body, this.pace, true);
  }
}

/** Names the records of each batch in the audit log before their rows are passed on. */
async function* audited(
  batches: AsyncIterable<Batch>,
  audit: AuditNotes | undefined,
): AsyncGenerator<Batch, void, undefined> {
  for await (const batch of batches) {
    await audit?.records(batch.ids);
    yield batch;
  }
}

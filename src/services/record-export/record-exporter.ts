import { Readable } from 'node:stream';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type {
  CallOptions,
  CrfClient,
  ExportProgress,
  RecordSelection,
} from '../../gateways/redcap/crf-client.js';
import type { LogicProblem } from '../../logic/logic-problem.js';
import type { StreamedAnswer } from '../streamed-answer.js';
import type { AuditedOptions } from '../audit/audit-entry.js';
import { batchBytes } from './batch-bytes.js';
import { batchesFor, planBatches, type BatchClient, type BatchLimits, type BatchPlan } from './batch-plan.js';
import { exportInBatches, type Batch } from './batched-export.js';
import { firstByteOf } from './first-byte.js';
import { firstRowsOf } from './first-rows.js';
import { GeneratorStream } from './generator-stream.js';
import type { ReaderPaceOptions } from './reader-pace.js';
import { checkRowsForm, rowsAnswer, upstreamFormat, type RowsForm } from './rows-answer.js';
import { openWholeExport } from './whole-export.js';

/** What is exported, and how it is written. */
export interface ExportRequest extends RecordSelection, RowsForm {
  readonly csvDelimiter?: RowsForm['csvDelimiter'];
  /** Records a batch, 1 to 10,000. Without it the export is one call, and falls back to batches when REDCap cannot give it whole. */
  readonly batchSize?: number | undefined;
  /** Only the first rows, 1 to 1,000,000. REDCap's answer is cancelled after them. */
  readonly limit?: number | undefined;
  /** Called after each batch; an export in one call says nothing. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** An export that has begun well. */
export interface RecordsBody extends StreamedAnswer {
  /** What could not be checked about the filter logic; absent when all is well. */
  readonly filterNotes?: readonly LogicProblem[] | undefined;
}

/** What an exporter needs of the client. One that does not check filter logic says nothing about it. */
export type ExportClient = BatchClient & Partial<Pick<CrfClient, 'checkFilterLogic'>>;

/** Exports of any length, in constant memory: REDCap's bytes are passed on, not parsed. */
export class RecordExporter {
  readonly #client: ExportClient;
  readonly #limits: Omit<BatchLimits, 'batchSize'>;
  readonly #pace: ReaderPaceOptions;

  /** @param pace how fast a reader has to be whose progress is known; no floor by default */
  constructor(
    client: ExportClient,
    limits: Omit<BatchLimits, 'batchSize'> = {},
    pace: ReaderPaceOptions = { minBytesPerSecond: 0 },
  ) {
    this.#client = client;
    this.#limits = limits;
    this.#pace = pace;
  }

  /**
   * Opens an export once its first bytes are known to be those of an export. JSON becomes `{ "data": [ … ] }`;
   * NDJSON is a row a line; CSV is REDCap's own, and empty when there is nothing to export.
   *
   * @throws {InvalidRequestError} `batchSize` or `limit` is out of range or the selection lacks the record id; `trailer` without NDJSON,
   *   `spreadsheetSafe` without CSV; the filter logic is certainly wrong
   * @throws {CrfError} what `CrfClient.openRecords` throws
   */
  async open(request: ExportRequest, { audit, ...call }: AuditedOptions = {}): Promise<RecordsBody> {
    checkRowsForm(request);
    const filterNotes = await this.#checkFilter(request, call);
    const body = await this.#open({ ...request, audit }, call);
    return filterNotes.length === 0 ? body : { ...body, filterNotes };
  }

  async #checkFilter({ filterLogic }: ExportRequest, call: CallOptions): Promise<readonly LogicProblem[]> {
    // Logic that is given and blank is refused with the other options.
    if (filterLogic === undefined || filterLogic.trim() === '') return [];
    return (await this.#client.checkFilterLogic?.(filterLogic, call)) ?? [];
  }

  async #open(request: ExportRequest, call: CallOptions): Promise<StreamedAnswer> {
    const {
      format: _format,
      trailer: _trailer,
      spreadsheetSafe: _spreadsheetSafe,
      batchSize,
      limit,
      hasEnvelope: _hasEnvelope,
      onProgress: _onProgress,
      audit: _audit,
      ...selection
    } = request;
    const options = {
      ...selection,
      ...call,
      ...this.#limits,
      ...batchesFor(limit),
      batchSize,
      format: upstreamFormat(request),
    };

    if (batchSize !== undefined) {
      return this.#inBatches(await planBatches(this.#client, options), request);
    }
    const whole = await openWholeExport(this.#client, options);
    if ('plan' in whole) return this.#inBatches(whole.plan, request);
    if (limit === undefined) return rowsAnswer(request, whole.body, this.#pace);
    const first = await firstByteOf(firstRowsOf(whole.body, options.format, limit));
    return rowsAnswer(request, first, this.#pace);
  }

  /**
   * An export of no records, of which REDCap is not asked.
   *
   * @throws {InvalidRequestError} `trailer` without NDJSON, `spreadsheetSafe` without CSV
   */
  openEmpty(request: ExportRequest): StreamedAnswer {
    checkRowsForm(request);
    const bytes = request.format === 'csv' ? [] : [Buffer.from('[]')];
    return rowsAnswer(request, Readable.from(bytes, { objectMode: false }), this.#pace);
  }

  async #inBatches(plan: BatchPlan, request: ExportRequest): Promise<StreamedAnswer> {
    const leaving = new AbortController();
    const outer = plan.selection.signal;
    const signal = outer ? AbortSignal.any([outer, leaving.signal]) : leaving.signal;
    const { format, trailer, limit } = request;
    const batches = withProgress(
      exportInBatches({ ...plan, selection: { ...plan.selection, signal } }),
      request,
    );
    const body = new GeneratorStream(batchBytes(batches, { format, trailer, limit }), () => leaving.abort());
    if (outer !== undefined) destroyOnAbort(body, outer);
    return rowsAnswer(request, await firstByteOf(body), this.#pace, true);
  }
}

/** While the reader takes nothing, nothing is asked of REDCap, and nobody else would hear of the signal. */
function destroyOnAbort(body: Readable, signal: AbortSignal): void {
  const onAbort = (): void => void body.destroy(abortionOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  body.once('close', () => signal.removeEventListener('abort', onAbort));
}

/** Reports each batch once it has been taken. */
async function* withProgress(
  batches: AsyncIterable<Batch>,
  { onProgress }: ExportRequest,
): AsyncGenerator<Batch, void, undefined> {
  let [records, bytes] = [0, 0];
  for await (const batch of batches) {
    yield batch;
    records += batch.records;
    bytes += batch.bytes;
    onProgress?.({ records, total: batch.total, bytes });
  }
}

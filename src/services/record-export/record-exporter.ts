import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type {
  CallOptions,
  CrfClient,
  ExportProgress,
  RecordSelection,
} from '../../gateways/redcap/crf-client.js';
import type { LogicProblem } from '../../logic/logic-problem.js';
import { batchBytes } from './batch-bytes.js';
import { CsvFormulaGuard } from './csv-formula-guard.js';
import { batchesFor, planBatches, type BatchClient, type BatchLimits, type BatchPlan } from './batch-plan.js';
import { exportInBatches, type Batch } from './batched-export.js';
import { firstRowsOf } from './first-rows.js';
import { firstByteOf } from './first-byte.js';
import { GeneratorStream } from './generator-stream.js';
import { NdjsonStream } from './ndjson-stream.js';
import { openWholeExport } from './whole-export.js';
import { writeBody, writeWrapped } from './write-body.js';
import { watchReader, type ReaderPaceOptions } from './reader-pace.js';

/** What is exported, and how it is written. */
export interface ExportRequest extends RecordSelection {
  readonly format: 'json' | 'ndjson' | 'csv';
  /** Records a batch, 1 to 10,000. Without it the export is one call, and falls back to batches when REDCap cannot give it whole. */
  readonly batchSize?: number | undefined;
  /** Only the first rows, 1 to 1,000,000. REDCap's answer is cancelled after them. */
  readonly limit?: number | undefined;
  /** NDJSON only: a last line that says that the export is complete: `{"_complete":true,"records":N}`. */
  readonly trailer?: boolean | undefined;
  /** CSV only: cells that a spreadsheet would take for formulas get an apostrophe before them (STR-05). */
  readonly spreadsheetSafe?: boolean | undefined;
  /** JSON only: `{"data":[…]}`, as the REST API answers; `false` gives the bare array. `true` by default. */
  readonly hasEnvelope?: boolean | undefined;
  /** Called after each batch; an export in one call says nothing. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** An export that has begun well. Either `pipeTo` or `cancel` must be called. */
export interface RecordsBody {
  readonly contentType: string;
  /** What could not be checked about the filter logic; absent when all is well. */
  readonly filterNotes?: readonly LogicProblem[] | undefined;
  /**
   * Writes the export and ends the sink. A sink that is slow slows REDCap down; one that closes early cancels the
   * export at once (STR-04). A failure destroys the sink, which is never ended before the export is whole (STR-01).
   *
   * @param bytesTaken how many bytes have left for the reader: with it the reader has to keep the pace of the exporter
   * @throws {CancelledError} the sink was closed, or the call cancelled, before the export was whole
   * @throws {SlowReaderError} the reader took less than the pace
   * @throws {CrfError} what the export failed with
   */
  pipeTo(sink: Writable, bytesTaken?: () => number): Promise<void>;
  /** Gives the export up: REDCap's answer is cancelled. */
  cancel(): void;
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
  async open(request: ExportRequest, call: CallOptions = {}): Promise<RecordsBody> {
    checkForm(request);
    const filterNotes = await this.#checkFilter(request, call);
    const body = await this.#open(request, call);
    return filterNotes.length === 0 ? body : { ...body, filterNotes };
  }

  async #checkFilter({ filterLogic }: ExportRequest, call: CallOptions): Promise<readonly LogicProblem[]> {
    // Logic that is given and blank is refused with the other options.
    if (filterLogic === undefined || filterLogic.trim() === '') return [];
    return (await this.#client.checkFilterLogic?.(filterLogic, call)) ?? [];
  }

  async #open(request: ExportRequest, call: CallOptions): Promise<RecordsBody> {
    const {
      format,
      trailer: _trailer,
      spreadsheetSafe: _spreadsheetSafe,
      batchSize,
      limit,
      hasEnvelope: _hasEnvelope,
      onProgress: _onProgress,
      ...selection
    } = request;
    const options = {
      ...selection,
      ...call,
      ...this.#limits,
      ...batchesFor(limit),
      batchSize,
      format: format === 'csv' ? ('csv' as const) : ('json' as const),
    };

    if (batchSize !== undefined) {
      return this.#inBatches(await planBatches(this.#client, options), request);
    }
    const whole = await openWholeExport(this.#client, options);
    if ('plan' in whole) return this.#inBatches(whole.plan, request);
    if (limit === undefined) return this.#bodyOf(request, whole.body);
    return this.#bodyOf(request, await firstByteOf(firstRowsOf(whole.body, options.format, limit)));
  }

  /**
   * An export of no records, of which REDCap is not asked.
   *
   * @throws {InvalidRequestError} `trailer` without NDJSON, `spreadsheetSafe` without CSV
   */
  openEmpty(request: ExportRequest): RecordsBody {
    checkForm(request);
    const bytes = request.format === 'csv' ? [] : [Buffer.from('[]')];
    return this.#bodyOf(request, Readable.from(bytes, { objectMode: false }));
  }

  async #inBatches(plan: BatchPlan, request: ExportRequest): Promise<RecordsBody> {
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
    return this.#bodyOf(request, await firstByteOf(body), true);
  }

  /** @param isReady whether the bytes are in the form asked for already */
  #bodyOf(request: ExportRequest, body: Readable, isReady = false): RecordsBody {
    return {
      contentType: CONTENT_TYPES[request.format],
      cancel: () => void body.destroy(),
      pipeTo: async (sink, bytesTaken) => {
        const stopWatching = bytesTaken && watchReader(sink, bytesTaken, this.#pace);
        try {
          await writeBody(body, sink, () => write(request, body, sink, isReady));
        } finally {
          stopWatching?.();
        }
      },
    };
  }
}

function checkForm({ format, trailer, spreadsheetSafe }: ExportRequest): void {
  if (trailer && format !== 'ndjson') throw new InvalidRequestError([TRAILER_RULE]);
  if (spreadsheetSafe && format !== 'csv') throw new InvalidRequestError([SAFE_RULE]);
}

/** Writes a body in the form asked for. */
function write(request: ExportRequest, body: Readable, sink: Writable, isReady: boolean): Promise<void> {
  const { format, trailer, spreadsheetSafe, csvDelimiter, hasEnvelope = true } = request;
  if (format === 'json' && hasEnvelope) return writeWrapped(body, sink, ENVELOPE);
  if (spreadsheetSafe) return pipeline(body, new CsvFormulaGuard(csvDelimiter), sink);
  if (format === 'ndjson' && !isReady) return pipeline(body, new NdjsonStream({ trailer }), sink);
  return pipeline(body, sink);
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

const ENVELOPE = { before: '{"data":', after: '}' };

const CONTENT_TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

const TRAILER_RULE = { field: 'trailer', message: 'is for NDJSON only' };
const SAFE_RULE = { field: 'spreadsheetSafe', message: 'is for CSV only' };

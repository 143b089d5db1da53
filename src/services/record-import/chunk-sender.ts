import { CancelledError } from '../../errors/cancelled-error.js';
import { InvalidRecordsError } from '../../errors/invalid-records-error.js';
import { InvalidRequestError } from '../../errors/invalid-request-error.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { ImportProgress } from './import-failure.js';
import type { ImportRequest } from './import-request.js';
import type { RowChunk } from './row-chunker.js';
import { MAX_SENT_RECORDS, SentRecords } from './sent-records.js';

export interface ChunkSenderOptions {
  readonly call: CallOptions;
  /** Whether the import has an Idempotency-Key: only then may a call that failed be repeated. */
  readonly isKeyed: boolean;
  /** Takes back the memory of a chunk that nobody reads any more. */
  readonly giveBack: (chunk: RowChunk) => void;
}

/**
 * The last stage of an import: sends chunks, one call at a time, while later rows are read; and knows what is stored. With
 * `dryRun` it counts as if it did.
 */
export class ChunkSender {
  readonly #client: Pick<CrfClient, 'importData'>;
  readonly #request: ImportRequest;
  readonly #options: ChunkSenderOptions;
  /** With `forceAutoNumber`: the names whose rows were sent. A second call would make another record of the same name. */
  readonly #numbered = new SentRecords();
  readonly #sent = new SentRecords();
  /** Records that were sent; one counts for each call that has rows of it. */
  #sentRecords = 0;
  #inFlight: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #stored = 0;
  #batches = 0;
  #confirmedRows = 0;
  readonly #ids: string[] = [];

  constructor(client: Pick<CrfClient, 'importData'>, request: ImportRequest, options: ChunkSenderOptions) {
    this.#client = client;
    this.#request = request;
    this.#options = options;
  }

  /** What REDCap has confirmed; with `dryRun` what it would have been sent. */
  get progress(): ImportProgress {
    return { stored: this.#stored, batches: this.#batches, confirmedRows: this.#confirmedRows };
  }

  /** What a call to REDCap failed with. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** With `returnContent`: the ids of the records, each once. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /**
   * Begins the call of a chunk, once the one before it is confirmed.
   *
   * @throws what the call before it failed with
   * @throws {InvalidRequestError} there are too many records to be numbered or answered
   * @throws {InvalidRecordsError} a record to be numbered has rows in two chunks
   */
  async send(chunk: RowChunk): Promise<void> {
    this.#refuseTooMany(chunk);
    this.#refuseScatteredRecords(chunk);
    if (this.#request.dryRun) {
      const { distinct, known } = this.#sent.add(chunk.records);
      this.#confirm(chunk, distinct, known);
      this.#options.giveBack(chunk);
      return;
    }
    await this.#inFlight;
    this.throwFailure();
    if (this.#options.call.signal?.aborted) throw new CancelledError();
    this.#inFlight = this.#store(chunk);
  }

  /** Waits for the call under way. Its failure stays in `failure`. */
  async settle(): Promise<void> {
    await this.#inFlight;
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Gives the memory back that it took. */
  release(): void {
    this.#numbered.release();
    this.#sent.release();
  }

  #refuseTooMany({ records }: RowChunk): void {
    const { forceAutoNumber, returnContent = 'count' } = this.#request;
    this.#sentRecords += records.length;
    if (this.#sentRecords <= MAX_SENT_RECORDS || (!forceAutoNumber && returnContent === 'count')) return;
    const message = `must be at most ${MAX_SENT_RECORDS} when they are numbered or their ids are asked for: import the rest on its own`;
    throw new InvalidRequestError([{ field: 'records', message }]);
  }

  /** REDCap would make two records of one: it numbers each call for itself. */
  #refuseScatteredRecords(chunk: RowChunk): void {
    if (!this.#request.forceAutoNumber) return;
    const [numbered] = this.#numbered.add(chunk.records).known;
    const scattered = chunk.isCutInside ? chunk.lastRecord : numbered;
    if (scattered !== undefined) {
      const message = 'must have all its rows in one batch, one after the other, to be numbered';
      throw new InvalidRecordsError([{ record: scattered, field: 'records', message }]);
    }
  }

  /** Never rejects: its failure is kept until somebody asks. */
  async #store(chunk: RowChunk): Promise<void> {
    const { type, overwriteBehavior, forceAutoNumber, dateFormat, returnContent, backgroundProcess } =
      this.#request;
    try {
      const { count, ids = [] } = await this.#client.importData(chunk.data, {
        ...this.#options.call,
        ...{ type, overwriteBehavior, forceAutoNumber, dateFormat, returnContent, backgroundProcess },
        format: 'json',
        isContinuation: this.#batches > 0,
        isIdempotent: this.#options.isKeyed && !forceAutoNumber && !chunk.hasNewInstance,
      });
      const { known } = this.#sent.add(chunk.records);
      this.#confirm(chunk, count, known);
      for (const id of ids) if (!known.has(id)) this.#ids.push(id);
      // Not after a failure: what is left of a call that broke off may still be on its way.
      this.#options.giveBack(chunk);
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** Counts what a call has stored; not a second time the records that an earlier call has stored a part of. */
  #confirm(chunk: RowChunk, count: number, known: ReadonlySet<string>): void {
    this.#stored += Math.max(0, count - known.size);
    this.#batches++;
    this.#confirmedRows = chunk.endRow;
  }
}

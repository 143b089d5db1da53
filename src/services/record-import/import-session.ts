import { CancelledError } from '../../errors/cancelled-error.js';
import { InvalidRecordsError } from '../../errors/invalid-records-error.js';
import { InvalidRequestError } from '../../errors/invalid-request-error.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { Breather } from './breather.js';
import type { ImportEvent, SentRow } from './import-event.js';
import { importFailure } from './import-failure.js';
import { checkOptions, withOption } from './import-options.js';
import {
  DEFAULT_CHUNK_BYTES,
  DEFAULT_CHUNK_ROWS,
  type ImportLimits,
  type ImportOutcome,
  type ImportRequest,
} from './import-request.js';
import { ProjectChecker } from './project-checker.js';
import { RowChunker, type RowChunk } from './row-chunker.js';
import { MAX_SENT_RECORDS, SentRecords } from './sent-records.js';

/** What an import asks of REDCap. */
export type ImportClient = Pick<CrfClient, 'getMetadata' | 'getProjectInfo' | 'importData'>;

export interface ImportSessionOptions {
  readonly limits: ImportLimits;
  readonly call: CallOptions;
  /** Whether the import has an Idempotency-Key: only then may a call that failed be repeated. */
  readonly isKeyed: boolean;
}

/**
 * One import: takes the parts of its body in order, checks each row, and sends chunks while later rows are read, one
 * call at a time. Nothing is sent before the first chunk is full or the input has ended, so that what fits one call is
 * stored whole or not at all.
 */
export class ImportSession {
  readonly #client: ImportClient;
  readonly #options: ImportSessionOptions;
  readonly #chunker: RowChunker;
  readonly #breather = new Breather();
  /** With `forceAutoNumber`: the names whose rows were sent. A second call would make another record of the same name. */
  readonly #numbered = new SentRecords();
  readonly #sent = new SentRecords();
  /** Records that were sent; one counts for each call that has rows of it. */
  #sentRecords = 0;
  readonly #chunkRows: number;
  readonly #chunkBytes: number;
  #request: ImportRequest;
  /** Of JSON the rows of the first chunk, until it is full: options behind them still count. */
  #head: SentRow[] = [];
  #headBytes = 0;
  #checker: ProjectChecker | undefined;
  #rows = 0;
  #inFlight: Promise<void> = Promise.resolve();
  #callFailure: { readonly error: unknown } | undefined;
  #stored = 0;
  #batches = 0;
  #confirmedRows = 0;
  readonly #ids: string[] = [];

  constructor(client: ImportClient, request: ImportRequest, options: ImportSessionOptions) {
    this.#client = client;
    this.#request = request;
    this.#options = options;
    this.#chunkRows = options.limits.chunkRows ?? DEFAULT_CHUNK_ROWS;
    this.#chunkBytes = options.limits.chunkBytes ?? DEFAULT_CHUNK_BYTES;
    this.#chunker = new RowChunker({ rows: this.#chunkRows, bytes: this.#chunkBytes });
  }

  /** Takes everything, and answers what was stored. @throws {CrfError} see `RecordWriter.write` */
  async run(events: AsyncIterable<ImportEvent>): Promise<ImportOutcome> {
    try {
      for await (const event of events) await this.#take(event);
      return await this.#finish();
    } catch (error) {
      await this.#inFlight;
      const failure = this.#callFailure;
      const progress = {
        stored: this.#stored,
        batches: this.#request.dryRun ? 0 : this.#batches,
        confirmedRows: this.#confirmedRows,
      };
      throw importFailure(failure === undefined ? error : failure.error, progress, failure !== undefined);
    } finally {
      this.#numbered.release();
      this.#sent.release();
    }
  }

  async #take(event: ImportEvent): Promise<void> {
    if (this.#breather.isDue) await this.#breather.breathe();
    if (event.kind === 'option') {
      this.#takeOption(event.name, event.value);
      return;
    }
    if (this.#checker !== undefined) {
      await this.#takeRow(event.row, this.#checker);
      return;
    }
    this.#head.push(event.row);
    this.#headBytes += event.bytes;
    const isHeadFull = this.#head.length > this.#chunkRows || this.#headBytes > this.#chunkBytes;
    // JSON alone has options in its body.
    if (isHeadFull || this.#request.format !== 'json') await this.#open();
  }

  #takeOption(name: string, value: unknown): void {
    if (this.#checker !== undefined) {
      const message = 'must stand before the records of an import of more than one batch';
      throw new InvalidRequestError([{ field: name, message }]);
    }
    this.#request = withOption(this.#request, name, value);
  }

  /** From here on the options stand; the rows held so far are checked. */
  async #open(): Promise<ProjectChecker> {
    checkOptions(this.#request);
    const { limits, call } = this.#options;
    const { recordIdMinLength } = limits;
    const checker = await ProjectChecker.open(this.#client, this.#request, { recordIdMinLength, call });
    this.#checker = checker;
    const head = this.#head;
    this.#head = [];
    for (const row of head) {
      if (this.#breather.isDue) await this.#breather.breathe();
      await this.#takeRow(row, checker);
    }
    return checker;
  }

  async #takeRow(row: SentRow, checker: ProjectChecker): Promise<void> {
    this.#throwCallFailure();
    this.#rows++;
    const checked = await checker.check(row, this.#rows);
    if (checker.isFull) throw new InvalidRecordsError(checker.problems);
    // After the first problem rows are only checked: nothing more is sent.
    if (checked === undefined || checker.problems.length > 0) return;
    for (const chunk of this.#chunker.add(checked, this.#rows - 1)) await this.#send(chunk);
  }

  async #finish(): Promise<ImportOutcome> {
    if (this.#checker === undefined && this.#head.length === 0) {
      throw new InvalidRequestError([{ field: 'records', message: 'must not be empty' }]);
    }
    const { problems } = this.#checker ?? (await this.#open());
    if (problems.length > 0) throw new InvalidRecordsError(problems);
    const rest = this.#chunker.rest();
    if (rest !== undefined) await this.#send(rest);
    await this.#inFlight;
    this.#throwCallFailure();

    const { returnContent = 'count', dryRun } = this.#request;
    return {
      count: this.#stored,
      ...(returnContent !== 'count' && !dryRun && { ids: this.#ids }),
      batches: this.#batches,
      ...(dryRun && { dryRun: true as const }),
    };
  }

  /** Begins the call of a chunk, once the one before it is confirmed. */
  async #send(chunk: RowChunk): Promise<void> {
    this.#refuseTooMany(chunk);
    this.#refuseScatteredRecords(chunk);
    if (this.#request.dryRun) {
      const { distinct, known } = this.#sent.add(chunk.records);
      this.#confirm(chunk, distinct, known);
      this.#chunker.giveBack(chunk);
      return;
    }
    await this.#inFlight;
    this.#throwCallFailure();
    if (this.#options.call.signal?.aborted) throw new CancelledError();
    this.#inFlight = this.#store(chunk);
  }

  /** @throws {InvalidRequestError} more would have to be remembered of them, or answered, than there is room for */
  #refuseTooMany({ records }: RowChunk): void {
    const { forceAutoNumber, returnContent = 'count' } = this.#request;
    this.#sentRecords += records.length;
    if (this.#sentRecords <= MAX_SENT_RECORDS || (!forceAutoNumber && returnContent === 'count')) return;
    const message = `must be at most ${MAX_SENT_RECORDS} when they are numbered or their ids are asked for: import the rest on its own`;
    throw new InvalidRequestError([{ field: 'records', message }]);
  }

  /** @throws {InvalidRecordsError} REDCap would make two records of one: it numbers each call for itself */
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
      this.#chunker.giveBack(chunk);
    } catch (error) {
      this.#callFailure = { error };
    }
  }

  /** Counts what a call has stored; not a second time the records that an earlier call has stored a part of. */
  #confirm(chunk: RowChunk, count: number, known: ReadonlySet<string>): void {
    this.#stored += Math.max(0, count - known.size);
    this.#batches++;
    this.#confirmedRows = chunk.endRow;
  }

  #throwCallFailure(): void {
    if (this.#callFailure !== undefined) throw this.#callFailure.error;
  }
}

import { CancelledError, InvalidRecordsError, InvalidRequestError } from '../../errors/caller-errors.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { CallLedger, type LedgerEntry } from './call-ledger.js';
import type { ImportProgress } from './import-failure.js';
import type { ImportRequest } from './import-request.js';
import type { RowChunk } from './row-chunker.js';
import { MAX_SENT_RECORDS, SentRecords } from './sent-records.js';
import { haveSharedRecord } from './shared-records.js';
import type { SpareCalls } from './spare-calls.js';

export interface ChunkSenderOptions {
  readonly call: CallOptions;
  /** Whether the import has an Idempotency-Key: only then may a call that failed be repeated. */
  readonly isKeyed: boolean;
  /** The calls that this and other imports may have under way beside their first. */
  readonly spareCalls: SpareCalls;
  /** Takes back the memory of a chunk that nobody reads any more. */
  readonly giveBack: (chunk: RowChunk) => void;
}

/**
 * The last stage of an import: sends chunks, some at once, while later rows are read; and knows what is stored. With
 * `dryRun` it counts as if it did.
 *
 * The first call is made alone: what is wrong with all of them is known before anything is stored. Calls under way
 * never hold rows of the same record. Where sending rows twice would store them twice, calls are made one after the
 * other, so that nothing is stored behind the row where a failed import goes on.
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
  readonly #underWay = new Map<LedgerEntry, CallUnderWay>();
  readonly #ledger = new CallLedger();
  #hasFailed = false;
  #stored = 0;
  #batches = 0;

  constructor(client: Pick<CrfClient, 'importData'>, request: ImportRequest, options: ChunkSenderOptions) {
    this.#client = client;
    this.#request = request;
    this.#options = options;
  }

  /** What REDCap has confirmed and what is in doubt; with `dryRun` what it would have been sent. */
  get progress(): ImportProgress {
    const { confirmedRows, doubtful, storedLater } = this.#ledger;
    return { stored: this.#stored, batches: this.#batches, confirmedRows, doubtful, storedLater };
  }

  /** What calls to REDCap failed with, in the order of their rows. */
  get failures(): readonly unknown[] {
    return this.#ledger.failures;
  }

  /** With `returnContent`: the ids of the records, each once. */
  get ids(): readonly string[] {
    return this.#ledger.ids;
  }

  /**
   * Begins the call of a chunk, as soon as it may be under way beside the others.
   *
   * @throws what a call before it failed with
   * @throws {InvalidRequestError} there are too many records to be numbered or answered
   * @throws {InvalidRecordsError} a record to be numbered has rows in two chunks
   */
  async send(chunk: RowChunk): Promise<void> {
    this.#refuseTooMany(chunk);
    this.#refuseScatteredRecords(chunk);
    if (this.#request.dryRun) {
      this.#pretend(chunk);
      return;
    }
    for (;;) {
      this.throwFailure();
      if (this.#options.call.signal?.aborted) throw new CancelledError();
      if (this.#takesTurn(chunk)) break;
      await Promise.race([...this.#underWay.values()].map(({ ended }) => ended));
    }
    const entry = this.#ledger.begin(chunk.endRow);
    this.#underWay.set(entry, { chunk, ended: this.#store(chunk, entry) });
  }

  /** Waits for the calls under way. Their failures stay in `failures`. */
  async settle(): Promise<void> {
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  throwFailure(): void {
    if (this.#hasFailed) throw this.failures[0];
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

  #pretend(chunk: RowChunk): void {
    const { distinct, known } = this.#sent.add(chunk.records);
    this.#count(distinct, known);
    this.#ledger.confirm(this.#ledger.begin(chunk.endRow));
    this.#options.giveBack(chunk);
  }

  /** @returns whether the call may begin now; if so, its turn is taken */
  #takesTurn(chunk: RowChunk): boolean {
    if (this.#underWay.size === 0) return true;
    if (this.#batches === 0) return false;
    const others = [...this.#underWay.values()].map((call) => call.chunk);
    if ([chunk, ...others].some((each) => this.#isSentAlone(each))) return false;
    const lists = others.map(({ records }) => records);
    return !haveSharedRecord(chunk.records, lists) && this.#options.spareCalls.take();
  }

  #isSentAlone({ hasNewInstance, records }: RowChunk): boolean {
    const { forceAutoNumber, backgroundProcess } = this.#request;
    return (
      forceAutoNumber === true ||
      backgroundProcess === true ||
      hasNewInstance ||
      records.length > MAX_RECORDS_BESIDE_OTHERS
    );
  }

  /** Never rejects: its failure is kept until somebody asks. */
  async #store(chunk: RowChunk, entry: LedgerEntry): Promise<void> {
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
      this.#count(count, known);
      this.#ledger.confirm(
        entry,
        ids.filter((id) => !known.has(id)),
      );
      // Not after a failure: what is left of a call that broke off may still be on its way.
      this.#options.giveBack(chunk);
    } catch (error) {
      this.#hasFailed = true;
      this.#ledger.fail(entry, error);
    } finally {
      // All calls but one hold a spare one, whichever of them it was.
      if (this.#underWay.size > 1) this.#options.spareCalls.giveBack();
      this.#underWay.delete(entry);
    }
  }

  /** Counts what a call has stored; not a second time the records that an earlier call has stored a part of. */
  #count(count: number, known: ReadonlySet<string>): void {
    this.#stored += Math.max(0, count - known.size);
    this.#batches++;
  }
}

interface CallUnderWay {
  readonly chunk: RowChunk;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

/** A larger call is work enough for REDCap, and comparing its records with those of others would keep the event loop. */
const MAX_RECORDS_BESIDE_OTHERS = 5_000;

import { InvalidRecordsError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type { CallOptions, CrfClient, ImportDataOptions } from '../../gateways/redcap/crf-client.js';
import { CallLedger, type LedgerEntry } from './call-ledger.js';
import type { CallReview, ReviewedCall } from './call-review.js';
import { checkCount, haveSharedRecord } from './confirmed-count.js';
import type { ImportProgress } from './import-failure.js';
import { DEFAULT_IMPORT_CONCURRENCY, type ImportLimits, type ImportRequest } from './import-request.js';
import type { RecordLeases } from './record-leases.js';
import type { RowChunk } from './row-chunker.js';
import { MAX_REMEMBERED } from './input-limits.js';
import { SentRecords } from './sent-records.js';

export interface ChunkSenderOptions {
  readonly call: CallOptions;
  /** Whether the import has an Idempotency-Key. Only then may a failed call be repeated. */
  readonly isKeyed: boolean;
  /** Concurrent calls beyond the first of each import, shared by all imports. */
  readonly spareCalls: SpareCalls;
  /** Held from the look at what is stored until it is read back; not for records that REDCap numbers. */
  readonly leases?: RecordLeases | undefined;
  /** Looks at what is stored before and after each call. */
  readonly review?: CallReview | undefined;
}

/**
 * The last stage of an import. Sends chunks, several concurrently, while later rows are still being read, and tracks
 * what is stored. With `dryRun` it only counts.
 *
 * The first call is made alone, so that an error common to all calls is found before anything is stored. Concurrent
 * calls never contain rows of the same record. If sending rows twice would store them twice, calls are made one after
 * the other, so that nothing is stored after the row from which a failed import resumes.
 */
export class ChunkSender {
  /**
   * With `forceAutoNumber`: the names whose rows were admitted. A second call would create another record for the same
   * name.
   */
  readonly #numbered = new SentRecords();
  readonly #sent = new SentRecords();
  /** Records sent. A record counts once for each call that contains rows of it. */
  #sentRecords = 0;
  readonly #underWay = new Map<LedgerEntry, CallUnderWay>();
  readonly #ledger: CallLedger;
  /** Errors after calls that REDCap had confirmed. */
  readonly #later: unknown[] = [];
  #hasFailed = false;
  #stored = 0;
  #batches = 0;

  constructor(
    private readonly client: Pick<CrfClient, 'importData' | 'checkImport'>,
    private readonly request: ImportRequest,
    private readonly options: ChunkSenderOptions,
  ) {
    this.#ledger = new CallLedger((request.fromRow ?? 1) - 1);
  }

  /** What REDCap has confirmed and what is in doubt. With `dryRun`, what would have been sent. */
  get progress(): ImportProgress {
    const { confirmedRows, doubtful, storedLater } = this.#ledger;
    return { stored: this.#stored, batches: this.#batches, confirmedRows, doubtful, storedLater };
  }

  /** Errors of failed calls to REDCap, in row order. */
  get failures(): readonly unknown[] {
    return [...this.#ledger.failures, ...this.#later];
  }

  /** With `returnContent`: the distinct ids of the records. */
  get ids(): readonly string[] {
    return this.#ledger.ids;
  }

  /**
   * Checks a chunk beside those before it, once, before it is sent.
   *
   * @throws {InvalidRequestError} there are too many records to number or to return ids for
   * @throws {InvalidRecordsError} a record to be numbered has rows in two chunks
   */
  admit(chunk: RowChunk): void {
    this.#refuseTooMany(chunk);
    this.#refuseScatteredRecords(chunk);
  }

  /**
   * Finds out whether the call for a chunk would be refused before REDCap is asked, and makes none.
   *
   * @param toSend makes the flat rows that would be sent, where they are not the whole chunk
   * @throws {CrfError} as `importData` of the client would
   */
  check({ data }: RowChunk, toSend?: () => Buffer | Promise<Buffer>): Promise<void> {
    const type = toSend === undefined ? this.request.type : 'flat';
    return this.client.checkImport(toSend ?? (() => data), this.#optionsOf(type));
  }

  /**
   * Starts the call for a chunk as soon as it may run alongside the calls in progress.
   *
   * @throws the error of an earlier call
   */
  async send(chunk: RowChunk): Promise<void> {
    if (this.request.dryRun) {
      this.#pretend(chunk);
      return;
    }
    for (;;) {
      this.throwFailure();
      if (this.options.call.signal?.aborted) throw abortionOf(this.options.call.signal);
      if (this.#takesTurn(chunk)) break;
      await Promise.race([...this.#underWay.values()].map(({ ended }) => ended));
    }
    const entry = this.#ledger.begin(chunk.endRow);
    this.#underWay.set(entry, { chunk, ended: this.#inTurn(chunk, entry) });
  }

  /** Waits for the calls in progress. Their errors are kept in `failures`. */
  async settle(): Promise<void> {
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  /** Throws the first error of a call, if one has failed. */
  throwFailure(): void {
    if (this.#hasFailed) throw this.failures[0];
  }

  #refuseTooMany({ records }: RowChunk): void {
    const { forceAutoNumber, returnContent = 'count' } = this.request;
    this.#sentRecords += records.length;
    if (this.#sentRecords <= MAX_REMEMBERED || (!forceAutoNumber && returnContent === 'count')) return;
    const message = `must be at most ${MAX_REMEMBERED} when they are numbered or their ids are asked for: import the rest on its own`;
    throw refusal('records', message);
  }

  /**
   * Refuses a record split over two calls. REDCap numbers records separately in each call and would create two records.
   */
  #refuseScatteredRecords(chunk: RowChunk): void {
    if (!this.request.forceAutoNumber) return;
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
  }

  /** @returns whether the call may start now; if so, its slot is taken */
  #takesTurn(chunk: RowChunk): boolean {
    if (this.#underWay.size === 0) return true;
    if (this.#batches === 0) return false;
    const others = [...this.#underWay.values()].map((call) => call.chunk);
    if ([chunk, ...others].some((each) => this.#isSentAlone(each))) return false;
    const lists = others.map(({ records }) => records);
    return !haveSharedRecord(chunk.records, lists) && this.options.spareCalls.take();
  }

  #isSentAlone({ hasNewInstance, records }: RowChunk): boolean {
    const { forceAutoNumber, backgroundProcess } = this.request;
    return (
      forceAutoNumber === true ||
      backgroundProcess === true ||
      hasNewInstance ||
      records.length > MAX_RECORDS_BESIDE_OTHERS
    );
  }

  /** Sends a chunk when nobody else is changing its records. Never rejects. */
  #inTurn(chunk: RowChunk, entry: LedgerEntry): Promise<void> {
    const { leases, call } = this.options;
    const store = (): Promise<void> => this.#store(chunk, entry);
    if (leases === undefined || this.request.forceAutoNumber) return store();
    return leases.hold(chunk.records, call.signal, store).catch((error: unknown) => {
      this.#hasFailed = true;
      this.#ledger.fail(entry, error);
      this.#end(entry);
    });
  }

  /** Sends a chunk. Never rejects: an error is kept until `throwFailure` is called. */
  async #store(chunk: RowChunk, entry: LedgerEntry): Promise<void> {
    const { review } = this.options;
    try {
      const call = await review?.before(chunk, entry.from);
      const { data, type, records } = call ?? { ...chunk, type: this.request.type };
      if (data === undefined) this.#ledger.confirm(entry);
      else await this.#send({ data, type, records }, entry, chunk.hasNewInstance);
      if (call !== undefined) await review?.after(call, entry);
    } catch (error) {
      this.#hasFailed = true;
      if (entry.state === 'stored') this.#later.push(error);
      else this.#ledger.fail(entry, located(error, chunk));
    } finally {
      this.#end(entry);
    }
  }

  #end(entry: LedgerEntry): void {
    // Every call in progress except one holds a spare slot, no matter which call took it.
    if (this.#underWay.size > 1) this.options.spareCalls.giveBack();
    this.#underWay.delete(entry);
  }

  async #send(
    { data, type, records }: Pick<ReviewedCall, 'type' | 'records'> & Pick<RowChunk, 'data'>,
    entry: LedgerEntry,
    hasNewInstance: boolean,
  ): Promise<void> {
    const { forceAutoNumber } = this.request;
    entry.isSent = true;
    const answer = await this.client.importData(data, {
      ...this.#optionsOf(type),
      isContinuation: this.#batches > 0,
      isIdempotent: this.options.isKeyed && !forceAutoNumber && !hasNewInstance,
    });
    const { distinct, known } = this.#sent.add(records);
    checkCount(answer, records, distinct, this.request);
    const { count, ids = [] } = answer;
    this.#count(count, known);
    this.#ledger.confirm(
      entry,
      ids.filter((id) => !known.has(id)),
    );
  }

  #optionsOf(type: ImportRequest['type']): ImportDataOptions {
    const { overwriteBehavior, forceAutoNumber, returnContent, backgroundProcess } = this.request;
    const options = { type, overwriteBehavior, forceAutoNumber, returnContent, backgroundProcess };
    return { ...this.options.call, ...options, format: 'json' };
  }

  /** Counts the records that a call has stored, except those of which an earlier call has stored a part. */
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

/** Adds the rows to what REDCap refused: it names the record and the field. */
function located(error: unknown, { data, places, recordOfRow }: RowChunk): unknown {
  if (!(error instanceof InvalidRecordsError)) return error;
  const rows = JSON.parse(data.toString()) as Readonly<Record<string, unknown>>[];
  const problems = error.errors.map((problem) => {
    const { record, field } = problem;
    const own = [...recordOfRow.keys()].filter((index) => recordOfRow[index] === record);
    const having = own.filter(
      (index) => (rows[index]?.[field] ?? '') !== '' || rows[index]?.['field_name'] === field,
    );
    // A field of several rows of the record may be wrong in any of them.
    const [only, ...others] = having.length > 0 ? having : own;
    return only === undefined || others.length > 0 ? problem : { ...problem, ...places[only] };
  });
  return new InvalidRecordsError(problems, { total: error.total, cause: error });
}

/**
 * Chunks with more records are sent alone: they keep REDCap busy enough, and comparing their records would block the
 * event loop.
 */
const MAX_RECORDS_BESIDE_OTHERS = 5_000;

/** Returns the spare calls of a project. */
export function spareCallsOf({ concurrency = DEFAULT_IMPORT_CONCURRENCY }: ImportLimits = {}): SpareCalls {
  return new SpareCalls(concurrency - 1);
}

/**
 * The concurrent calls that imports may make beyond the one that each of them always has. They are shared by all
 * imports of a project, so that simultaneous imports do not take all slots of the client.
 */
export class SpareCalls {
  #free: number;

  /** @param limit the number of spare calls */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** @returns whether a call was available; return it with `giveBack` */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  giveBack(): void {
    this.#free++;
  }
}

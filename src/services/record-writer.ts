import type { Readable } from 'node:stream';
import { ProblemError } from '../domain/errors/problem-error.js';
import { ImportInterruptedError } from '../domain/errors/upstream-errors.js';
import { isRepeatableImport } from '../gateways/redcap/record-parameters.js';
import type { AuditedOptions, AuditNotes } from '../records/audit-notes.js';
import type { RequestKey } from './idempotency/count-once.js';
import type { IdempotencyStore, Reservation, StoredOutcome } from './idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from './idempotency/memory-idempotency-store.js';
import { discard, ImportBody } from '../records/import/import-body.js';
import {
  DEFAULT_LIMIT_BYTES,
  type ImportLimits,
  type ImportOutcome,
  type SentImportRequest,
} from '../records/import/import-request.js';
import {
  ImportPipeline,
  type ImportClient,
  type ImportListeners,
} from '../records/import/import-pipeline.js';
import { SentWorkbooks } from '../records/import/workbook/sent-workbooks.js';
import { answerAgain, keptFailure, keptOutcome, canonicalOptions } from './idempotency/repeated-import.js';
import type { RecordLeases } from '../records/import/record-leases.js';
import { spareCallsOf, type SpareCalls } from '../records/import/chunk-sender.js';
import type { StoredSource } from '../records/import/call-review.js';

export type { ImportLimits, ImportOutcome, ImportRequest } from '../records/import/import-request.js';

/** Options of an import call. */
export interface ImportCallOptions extends AuditedOptions, ImportListeners {
  /**
   * Whether stored records may be read: for the warnings of a dry run, for changes, to verify. False by default.
   */
  readonly mayReadRecords?: boolean | undefined;
  /** Whether the caller holds the leases of the records. */
  readonly isHeld?: boolean | undefined;
}

/** What the writers of a project share, whatever their callers see of it. */
export interface WriterShares {
  /** The records that are being changed; without them, others may change a record meanwhile. */
  readonly leases?: RecordLeases | undefined;
  readonly spareCalls?: SpareCalls | undefined;
  /** Of the whole process. */
  readonly workbooks?: SentWorkbooks | undefined;
}

/** Imports any number of rows in constant memory: checks them as they pass and stores them in chunks. */
export class RecordWriter {
  readonly #spareCalls: SpareCalls;
  readonly #workbooks: SentWorkbooks;
  readonly #leases: RecordLeases | undefined;

  /**
   * @param stored source of the records that the rows of a dry run are compared with; without it there are no warnings
   */
  constructor(
    private readonly client: ImportClient,
    private readonly limits: ImportLimits = {},
    private readonly store: IdempotencyStore = new MemoryIdempotencyStore(),
    private readonly stored?: StoredSource,
    { leases, spareCalls = spareCallsOf(limits), workbooks = new SentWorkbooks() }: WriterShares = {},
  ) {
    this.#leases = leases;
    this.#spareCalls = spareCalls;
    this.#workbooks = workbooks;
  }

  /**
   * Reads a body, checks its rows and stores them. With an Idempotency-Key, the same request is stored only once. A
   * repeated request gets the same answer, but without `ids`, which are not kept. If nothing was stored, the key can be
   * used again. With `dryRun` the key is ignored.
   *
   * @throws {InvalidRequestError} an option or the list of records is invalid
   * @throws {InsufficientScopeError} `changes` or `verify` were asked for by a caller who may not read records
   * @throws {MalformedRequestError} the body cannot be read
   * @throws {ProblemError} `payload_too_large`: the body is longer than the limit
   * @throws {ProblemError} `request_timeout`: the body is sent too slowly
   * @throws {InvalidRecordsError} rows break a rule, or REDCap refused them; nothing was stored
   * @throws {ImportInterruptedError} something was or may have been stored; states what, and where to continue
   * @throws {ProblemError} `idempotency_key_in_use`: the same request is running
   * @throws {ProblemError} `idempotency_key_reused`: the key belongs to another request
   * @throws {ProblemError} `import_outcome_unknown`: the process of the first request ended, and it is unknown what it
   *   stored
   * @throws {SharedStateUnavailableError} a key was given, but it cannot be determined whether it was used; nothing was
   *   stored
   * @throws {CrfError} errors of `CrfClient.importData`, if nothing was stored
   */
  async write(
    source: Readable,
    request: SentImportRequest,
    { idempotencyKey, scope, onReplay }: RequestKey,
    call: ImportCallOptions = {},
  ): Promise<ImportOutcome> {
    if (idempotencyKey === undefined || request.dryRun) {
      const body = new ImportBody(source, { limitBytes: this.#limitBytes, pace: this.limits.pace });
      return reading(body, () => this.#import(this.client, body, request, call, false));
    }

    const key = JSON.stringify([scope, idempotencyKey]);
    const reservation = await this.#reserve(key).catch((error: unknown) => {
      discard(source);
      throw error;
    });
    const repeated = reservation.state === 'done' ? reservation.result : undefined;
    const replay = (): void => {
      call.audit?.add({ replayed: true });
      onReplay?.();
    };
    const body = new ImportBody(source, {
      limitBytes: this.#limitBytes,
      pace: this.limits.pace,
      hashedFirst: canonicalOptions(request),
      hashedBytes: repeated?.bodyBytes,
    });
    return reading(body, () =>
      repeated === undefined
        ? this.#importOnce(key, body, request, call)
        : answerAgain(body, repeated, replay),
    );
  }

  async #reserve(key: string): Promise<Exclude<Reservation, { state: 'running' | 'lost' }>> {
    const reservation = await this.store.reserve(key);
    if (reservation.state === 'running') throw new ProblemError('idempotency_key_in_use');
    if (reservation.state === 'lost') throw new ProblemError('import_outcome_unknown');
    return reservation;
  }

  get #limitBytes(): number {
    return this.limits.limitBytes ?? DEFAULT_LIMIT_BYTES;
  }

  #import(
    client: ImportClient,
    body: ImportBody,
    request: SentImportRequest,
    call: ImportCallOptions,
    isKeyed: boolean,
  ): Promise<ImportOutcome> {
    const { mayReadRecords, isHeld, audit, signal, caller, traceparent, ...listeners } = call;
    const rows = this.#workbooks.rowsOf(body, request, this.#limitBytes);
    const pipeline = new ImportPipeline(client, rows.request, {
      limits: this.limits,
      ...listeners,
      call: { signal, caller, traceparent },
      isKeyed,
      spareCalls: this.#spareCalls,
      leases: isHeld ? undefined : this.#leases,
      records: this.stored,
      onRecords: audit && ((records) => audit.records(records)),
      stored: mayReadRecords ? this.stored : undefined,
    });
    return noted(pipeline.run(rows.pieces), audit);
  }

  async #importOnce(
    key: string,
    body: ImportBody,
    request: SentImportRequest,
    call: ImportCallOptions,
  ): Promise<ImportOutcome> {
    const client = markingOnce(this.client, () => this.store.markOnce(key));
    const outcome = await this.#import(client, body, request, call, true).catch(async (error: unknown) => {
      if (error instanceof ImportInterruptedError) await this.#keep(key, body, keptFailure(error));
      else await this.store.release(key);
      throw error;
    });
    if (outcome.dryRun) await this.store.release(key);
    else await this.#keep(key, body, keptOutcome(outcome));
    return outcome;
  }

  #keep(key: string, body: ImportBody, outcome: StoredOutcome): Promise<void> {
    const { sha256, bytes, isWhole } = body.digest();
    return this.store.complete(key, { sha256, bodyBytes: bytes, isWholeBody: isWhole, outcome });
  }
}

/** Wraps a client so that `markOnce` is called before the first call that must not be repeated. */
function markingOnce(client: ImportClient, markOnce: () => Promise<void>): ImportClient {
  let marked: Promise<void> | undefined;
  const { project, fields, events, instruments, mappings, repeating, dags } = client;
  return {
    ...{ project, fields, events, instruments, mappings, repeating, dags },
    checkImport: (data, options) => client.checkImport(data, options),
    importData: async (data, options) => {
      if (!isRepeatableImport(options)) await (marked ??= markOnce());
      return client.importData(data, options);
    },
  };
}

/** Adds the number of records that were stored, or may have been, to the audit log. */
async function noted(
  imported: Promise<ImportOutcome>,
  audit: AuditNotes | undefined,
): Promise<ImportOutcome> {
  if (audit === undefined) return imported;
  try {
    const { count, batches, dryRun } = await imported;
    audit.add({ imported: count, batches, dryRun });
    return await imported;
  } catch (error) {
    if (error instanceof ImportInterruptedError)
      audit.add({ imported: error.stored, isUncertain: error.isUncertain });
    else audit.add({ imported: 0 });
    throw error;
  }
}

async function reading<T>(body: ImportBody, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } finally {
    body.discardRest();
  }
}

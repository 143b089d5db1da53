import type {
  CallOptions,
  CrfCalls,
  DeleteRecordsOptions,
  Randomization,
  RandomizeOptions,
  RenameRecordOptions,
} from '../gateways/redcap/crf-client.js';
import { isRecordId, RecordId, RECORD_ID_MIN_LENGTH } from '../domain/identifiers/record-id.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import { countOnce, type RequestKey } from './idempotency/count-once.js';
import type { IdempotencyStore } from './idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from './idempotency/memory-idempotency-store.js';
import { recordVersions, type RecordVersion } from './records/record-version.js';
import { RecordLeases } from '../records/import/record-leases.js';
import { RecordReader, type RecordAnswer, type RecordRequest } from './records/record-reader.js';

export interface RecordActionsOptions {
  /** Minimum length of a new record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
}

/** The operations on single records that have a rule: read, delete, rename, randomize. */
export class RecordActions {
  readonly #reader: RecordReader;
  readonly #minLength: number;

  constructor(
    private readonly client: CrfCalls,
    { recordIdMinLength = RECORD_ID_MIN_LENGTH }: RecordActionsOptions = {},
    private readonly store: IdempotencyStore = new MemoryIdempotencyStore(),
    versionOf: RecordVersion = recordVersions(),
    private readonly leases: RecordLeases = new RecordLeases(),
  ) {
    this.#reader = new RecordReader(client, versionOf);
    this.#minLength = recordIdMinLength;
  }

  /**
   * Reads one record, as rows (one per event and repeat instance) or as a nested document.
   *
   * @throws {ProblemError} `record_not_found`: the project has no such record
   * @throws {InvalidRequestError} the options cannot be combined
   */
  read(id: string, request: RecordRequest, call: CallOptions): Promise<RecordAnswer> {
    return this.#reader.read(id, request, call);
  }

  /**
   * Deletes records, or a part of their data. If one of them does not exist, none is deleted.
   *
   * @returns the number of records that were deleted or had a part deleted
   * @throws {ProblemError} `record_not_found`: names the positions of those that do not exist
   * @throws {ProblemError} `idempotency_key_in_use`: the same request is running
   * @throws {ProblemError} `idempotency_key_reused`: the key belongs to another request
   */
  delete(
    records: readonly string[],
    { audit, ...options }: DeleteRecordsOptions & AuditedOptions,
    key: RequestKey = { scope: '' },
  ): Promise<number> {
    const { arm, instrument, event, instance, deleteLogging } = options;
    const request = ['delete', [...records], arm, instrument, event, instance, deleteLogging];
    const work = () =>
      this.leases.hold(records, options.signal, () => this.client.records.delete(records, options));
    return countOnce(this.store, key, request, work, audit);
  }

  /**
   * Renames a record. The new id must follow the rule for new ids.
   *
   * @returns the new id
   * @throws {InvalidIdentifierError} the new id breaks the rule
   * @throws {ProblemError} `record_not_found`: the record does not exist
   * @throws {UpstreamRejectedError} the new id is taken
   * @throws {ProblemError} `idempotency_key_in_use`: the same request is running
   * @throws {ProblemError} `idempotency_key_reused`: the key belongs to another request
   */
  async rename(
    id: string,
    newRecord: string,
    { audit, ...options }: RenameRecordOptions & AuditedOptions,
    key: RequestKey = { scope: '' },
  ): Promise<string> {
    const newId = RecordId(newRecord, await this.#minLengthOf(newRecord, options));
    const work = async (): Promise<number> => {
      await this.leases.hold([id, newId], options.signal, () =>
        this.client.records.rename(id, newId, options),
      );
      return 1;
    };
    await countOnce(this.store, key, ['rename', id, newId, options.arm], work, audit);
    return newId;
  }

  /**
   * Permanently assigns a record to an arm of a trial, which no other change of this service comes between.
   *
   * @throws {UpstreamRejectedError} the record is already assigned, or lacks a value
   */
  randomize(id: string, randomizationId: number, options: RandomizeOptions): Promise<Randomization> {
    return this.leases.hold([id], options.signal, () =>
      this.client.records.randomize(id, randomizationId, options),
    );
  }

  /** The settings of the project are requested only for a short id: nobody invents ids that REDCap numbers. */
  async #minLengthOf(newRecord: string, { signal, caller }: CallOptions): Promise<number> {
    if (!isRecordId(newRecord, 1) || isRecordId(newRecord, this.#minLength)) return this.#minLength;
    const { recordAutonumberingEnabled } = await this.client.project.getInfo({ signal, caller });
    return recordAutonumberingEnabled ? 1 : this.#minLength;
  }
}

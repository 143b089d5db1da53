import { Readable } from 'node:stream';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { PreconditionFailedError } from '../errors/http-errors.js';
import type { ImportRow } from '../gateways/redcap/crf-client.js';
import { toImportData } from '../gateways/redcap/import-parameters.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import type { ImportOutcome } from '../records/import/import-request.js';
import type { RecordWriter } from './record-writer.js';
import type { RecordVersion } from './records/record-version.js';
import { rowsOfRecord, type RecordSource } from './records/rows-of-record.js';

/** How a record is changed. */
export interface RecordChangeOptions {
  /**
   * Whether the record, by its version, is still what the author of the change has read; undefined if the author made
   * no condition.
   */
  readonly isCurrent?: ((version: string) => boolean) | undefined;
  /** Reads the values back. */
  readonly verify?: boolean | undefined;
}

/**
 * Changes of single records, on the condition that they are what somebody has read. The changes of a record are made
 * one after the other within this process, so that of two authors who have read the same record the second is refused.
 * REDCap has no conditional changes: one that is made elsewhere between the check and the change is not noticed.
 */
export class RecordChanges {
  readonly #source: RecordSource;
  readonly #writer: RecordWriter;
  readonly #versionOf: RecordVersion;
  /** The last change of each record that is being changed. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(source: RecordSource, writer: RecordWriter, versionOf: RecordVersion) {
    this.#source = source;
    this.#writer = writer;
    this.#versionOf = versionOf;
  }

  /**
   * Stores the values of a record that change; blanks erase.
   *
   * @param rows as in an import; the record id may be left out
   * @throws {RecordNotFoundError} the project has no such record
   * @throws {PreconditionFailedError} the record is no longer what its author has read; nothing was stored
   * @throws {InvalidRequestError} a row is of another record, or a value is neither text, a number, true, false nor null
   * @throws {InvalidRecordsError} a value breaks a rule; nothing was stored
   */
  async change(
    id: string,
    rows: readonly ImportRow[],
    options: RecordChangeOptions,
    call: AuditedOptions,
  ): Promise<ImportOutcome> {
    const earlier = this.#last.get(id) ?? Promise.resolve();
    const made = earlier.then(() => this.#change(id, rows, options, call));
    const ended = made.catch(() => undefined);
    this.#last.set(id, ended);
    try {
      return await made;
    } finally {
      if (this.#last.get(id) === ended) this.#last.delete(id);
    }
  }

  async #change(
    id: string,
    rows: readonly ImportRow[],
    { isCurrent, verify }: RecordChangeOptions,
    call: AuditedOptions,
  ): Promise<ImportOutcome> {
    const { audit: _audit, ...plain } = call;
    const [idField] = await this.#source.getMetadata(plain);
    const idName = idField?.name ?? '';
    const errors = rows.flatMap((row, index) =>
      Object.hasOwn(row, idName) && row[idName] !== id
        ? [{ field: `rows[${index}].${idName}`, message: 'must be the record of the URL, or left out' }]
        : [],
    );
    if (errors.length > 0) throw new InvalidRequestError(errors);
    const version = this.#versionOf(await rowsOfRecord(this.#source, id, {}, plain));
    if (isCurrent !== undefined && !isCurrent(version)) throw new PreconditionFailedError();
    const records = toImportData(rows.map((row) => ({ [idName]: id, ...row })));
    return this.#writer.write(
      Readable.from([Buffer.from(`{"records":${records}}`)]),
      { format: 'json', changes: true, overwriteBehavior: 'overwrite', verify },
      { scope: '' },
      { ...call, mayReadRecords: true },
    );
  }
}

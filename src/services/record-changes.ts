import { Readable } from 'node:stream';
import { ProblemError } from '../domain/errors/problem-error.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { refusal } from '../domain/errors/refusal.js';
import type { CallOptions, CrfCalls, ImportRow } from '../gateways/redcap/crf-client.js';
import { toImportData } from '../gateways/redcap/record-parameters.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import type { ImportOutcome } from '../records/import/import-request.js';
import type { RecordLeases } from '../records/import/record-leases.js';
import { checkSeen, SeenRows } from '../records/import/seen-rows.js';
import { loadProjectStructure } from '../records/load-project-structure.js';
import type { RecordWriter } from './record-writer.js';
import type { RecordVersion } from './records/record-version.js';
import { rowsOfRecord } from './records/rows-of-record.js';

/** How a record is changed. */
export interface RecordChangeOptions {
  /**
   * Whether the record, by its version, is still what the author of the change has read; undefined if the author made
   * no condition.
   */
  readonly isCurrent?: ((version: string) => boolean) | undefined;
  /** Reads the values back. */
  readonly verify?: boolean | undefined;
  /**
   * What happens if somebody has changed the record since. `fail`: nothing is stored; `fields`: nothing is stored if
   * they changed one of the values to be stored, while other changes merge; `theirs`: such values stay as they are;
   * `ours`: they are replaced. `fail` by default.
   */
  readonly onConflict?: 'fail' | 'fields' | 'theirs' | 'ours' | undefined;
  /** For `fields` and `theirs`: the rows as the author has read them, with at least the columns to be stored. */
  readonly seen?: readonly ImportRow[] | undefined;
}

/**
 * Changes of single records, on the condition that they are what somebody has read. The changes of a record are made
 * one after the other, by all replicas together, so that of two authors who have read the same record the second is
 * refused. REDCap has no conditional changes: one that is made in its own forms between the last look and the change is
 * not noticed.
 */
export class RecordChanges {
  constructor(
    private readonly source: CrfCalls,
    private readonly writer: RecordWriter,
    private readonly versionOf: RecordVersion,
    private readonly leases: RecordLeases,
  ) {}

  /**
   * Stores the values of a record that change; blanks erase.
   *
   * @param rows as in an import; the record id may be left out
   * @throws {ProblemError} `record_not_found`: the project has no such record
   * @throws {ProblemError} `precondition_failed`: the record is no longer what its author has read; nothing was stored
   * @throws {OverloadedError} the record is being changed all the time; nothing was stored
   * @throws {InvalidRequestError} a row is of another record, a value is neither text, a number, true, false nor null,
   *   or `seen` is missing
   * @throws {InvalidRecordsError} a value breaks a rule; nothing was stored
   */
  async change(
    id: string,
    rows: readonly ImportRow[],
    options: RecordChangeOptions,
    call: AuditedOptions,
  ): Promise<ImportOutcome> {
    const [idField] = await this.source.fields.list(plainOf(call));
    const idName = idField?.name ?? '';
    checkOptions(rows, options);
    checkRecord('rows', rows, idName, id);
    checkRecord('seen', options.seen ?? [], idName, id);
    return this.leases.hold([id], call.signal, async () => {
      const seen = await this.#seen(id, idName, options, call);
      const records = toImportData(rows.map((row) => ({ [idName]: id, ...row })));
      return this.writer.write(
        Readable.from([Buffer.from(`{"records":${records}}`)]),
        { format: 'json', changes: true, overwriteBehavior: 'overwrite', verify: options.verify },
        { scope: '' },
        { ...call, mayReadRecords: true, seen, isHeld: true },
      );
    });
  }

  /** Returns what the author of a change has seen; undefined if that does not matter. */
  async #seen(
    id: string,
    idName: string,
    { isCurrent, onConflict = 'fail', seen }: RecordChangeOptions,
    call: AuditedOptions,
  ): Promise<SeenRows | undefined> {
    const plain = plainOf(call);
    const stored = await rowsOfRecord(this.source, id, {}, plain);
    if (onConflict === 'ours') return undefined;
    if (seen === undefined) {
      if (isCurrent === undefined) return undefined;
      if (!isCurrent(this.versionOf(stored))) throw new ProblemError('precondition_failed');
    }
    const structure = await loadProjectStructure(this.source, plain);
    const rows = (seen ?? stored).map((row) => ({ [idName]: id, ...row }));
    return SeenRows.of(structure, rows, onConflict !== 'theirs');
  }
}

function plainOf({ audit: _audit, ...call }: AuditedOptions): CallOptions {
  return call;
}

function checkOptions(rows: readonly ImportRow[], { onConflict, seen }: RecordChangeOptions): void {
  const needsSeen = onConflict === 'fields' || onConflict === 'theirs';
  if (needsSeen && seen === undefined)
    throw refusal('seen', `is needed for onConflict=${onConflict}: the rows as they were read`);
  if (!needsSeen && seen !== undefined)
    throw refusal('seen', 'is for onConflict=fields and onConflict=theirs only');
  if (seen !== undefined) checkSeen(rows, seen);
}

function checkRecord(name: string, rows: readonly ImportRow[], idName: string, id: string): void {
  const errors = rows.flatMap((row, index) =>
    Object.hasOwn(row, idName) && row[idName] !== id
      ? [{ field: `${name}[${index}].${idName}`, message: 'must be the record of the URL, or left out' }]
      : [],
  );
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

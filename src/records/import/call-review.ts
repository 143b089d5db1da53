import { setTimeout } from 'node:timers/promises';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { RowRange } from '../../domain/errors/upstream-errors.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type {
  CallOptions,
  CrfClient,
  ImportChange,
  ImportConflicts,
  RecordRow,
} from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import { askedRecordsOf, HashedIdsError } from '../rules/hashed-ids.js';
import type { EventLoopShare } from './event-loop-share.js';
import { changesOf, comparable, Lookalikes, newRecord, type ChangeList } from './import-changes.js';
import type { ImportJournal, JournalRecord } from './import-journal.js';
import { DEFAULT_GRACE_MS, type ImportRequest } from './import-request.js';
import { readBack, type VerificationList } from './read-back.js';
import type { RowPlace } from './input-item.js';
import type { RowChunk } from './row-chunker.js';
import { allRows, journalEntry, jsonOfRows, rowsToSend } from './rows-to-send.js';
import type { Seen } from './seen-changes.js';
import { ImportWarnings } from './warnings/import-warnings.js';
import { mergedRecords, type MergedRecord } from './warnings/merged-record.js';
import { sentByRecord, type PlacedRow } from './warnings/sent-rows.js';
import type { WarningList } from './warnings/warning-list.js';

/** The operations with which an import looks at what is stored. */
export interface StoredSource extends StructureSource, Pick<CrfClient, 'streamRecords'> {}

export interface CallReviewOptions {
  readonly call: CallOptions;
  readonly share: EventLoopShare;
  /** Receives what changes, if only that is to be sent. */
  readonly changes?: ChangeList | undefined;
  /** With `changes`: those that may be stored; all by default. */
  readonly seen?: Seen | undefined;
  readonly journal?: ImportJournal | undefined;
  /** Receives the warnings about what is sent beside what is stored. */
  readonly warnings: WarningList;
  /** Receives what is read back, if that was asked for. */
  readonly verification?: VerificationList | undefined;
  readonly graceMs?: number | undefined;
}

/** A call as it is sent. */
export interface ReviewedCall {
  /** JSON in the `type`; undefined if nothing is left to send. */
  readonly data: Buffer | undefined;
  readonly type: ImportRequest['type'];
  readonly records: Iterable<string>;
  /** The same rows by record. */
  readonly rows: ReadonlyMap<string, readonly PlacedRow[]>;
}

/**
 * Looks at what is stored around each call of an import. Before it: to send only what changes, of that only what
 * somebody has seen, and to keep what it replaces. After it: to see whether the values have arrived. In a dry run, in
 * place of it: to warn, and to report what it would change. Memory: the rows of one call, and one stored record.
 */
export class CallReview {
  readonly #conflicts: ImportChange[] = [];
  #conflictCount = 0;
  /** Undefined if there is none, or if the caller may not read what it would keep. */
  #journal: ImportJournal | undefined;
  #hasRead = false;
  #warnings: ImportWarnings | undefined;
  #structure: Promise<ProjectStructure> | undefined;
  #lookalikes: Lookalikes | undefined;
  #isOff = false;

  constructor(
    private readonly source: StoredSource,
    private readonly request: ImportRequest,
    private readonly options: CallReviewOptions,
  ) {
    this.#journal = options.journal;
  }

  /** The changes that were left out because somebody changed the value since it was seen; undefined if there are none. */
  get conflicts(): ImportConflicts | undefined {
    return this.#conflictCount === 0 ? undefined : { count: this.#conflictCount, first: this.#conflicts };
  }

  /**
   * Compares a chunk of a dry run with what is stored. If a record has rows in several chunks, each is compared separately.
   *
   * @returns with `changes`: what would be sent of it
   * @throws {CrfError} errors of reading the records, except a refusal by REDCap or hashed ids, after which there are no
   *   more warnings
   */
  async preview(chunk: RowChunk): Promise<Buffer | undefined> {
    if (this.#isOff) return undefined;
    const { changes } = this.options;
    const left = new Map<string, readonly PlacedRow[]>();
    try {
      const structure = await this.#loaded();
      for await (const { merged, warnings } of this.#merged(await this.#sent(chunk), structure)) {
        const { id } = merged.view;
        const [first] = merged.touched;
        if (changes !== undefined && first !== undefined && merged.sample === undefined) {
          await this.#addNew(id, first.place, structure, changes);
          left.set(id, allRows(merged));
        } else if (changes !== undefined) {
          const found = changesOf(merged, structure);
          changes.addStored(id, found);
          left.set(id, rowsToSend(merged, found));
        }
        await warnings.checkForms(merged);
      }
      return changes && jsonOfRows(left, structure);
    } catch (error) {
      // The token may not export these records as they are, so there are no further warnings. Changes were asked for.
      if (!isUnreadable(error) || changes !== undefined) throw error;
      this.#isOff = true;
      return undefined;
    }
  }

  async #addNew(
    id: string,
    place: RowPlace,
    { dictionary }: ProjectStructure,
    changes: ChangeList,
  ): Promise<void> {
    const idField = dictionary.recordIdField?.name ?? '';
    this.#lookalikes ??= await Lookalikes.load(this.source, idField, this.options.call);
    changes.addNew(newRecord(id, idField, place), this.#lookalikes.of(id));
  }

  /**
   * Compares a chunk with what is stored.
   *
   * @param from the index of its first row in the input
   * @throws {ProblemError} `precondition_failed`: a value is not what was seen, and `seen` is strict
   * @throws {HashedIdsError} what REDCap answers cannot be compared; without `changes` and `verify` there is no journal
   * @throws {CrfError} errors of reading the records; the call must not be made then
   */
  async before(chunk: RowChunk, from: number): Promise<ReviewedCall> {
    const structure = await this.#loaded();
    const { data, records, endRow, hasNewInstance } = chunk;
    const sent = await this.#sent(chunk);
    const whole = { data, type: this.request.type, records, rows: sent };
    // The first call is compared in any case: a caller who could not read back what it sends learns it before that.
    if (this.#hasRead && !this.#isReduced && this.#journal === undefined && !hasNewInstance) return whole;
    const rows = new Map<string, readonly PlacedRow[]>();
    const journal: JournalRecord[] = [];
    try {
      for await (const { merged } of this.#merged(sent, structure)) {
        const { kept, entry } = this.#reviewed(merged, structure);
        if (kept.length > 0) rows.set(merged.view.id, kept);
        if (entry !== undefined) journal.push(entry);
      }
    } catch (error) {
      const isNeeded = this.#isReduced || this.options.verification !== undefined;
      if (!isUnreadable(error) || isNeeded || this.#journal === undefined) throw error;
      this.#journal.giveUp(error);
      this.#journal = undefined;
      return whole;
    } finally {
      this.#hasRead = true;
    }
    if (this.options.seen?.isStrict && this.#conflictCount > 0) throw conflictOf(this.#conflicts);
    if (journal.length > 0) await this.#journal?.begin({ from, to: endRow, records: journal });
    if (!this.#isReduced) return { ...whole, rows };
    const left = rows.size === 0 ? undefined : jsonOfRows(rows, structure);
    return { data: left, type: 'flat', records: [...rows.keys()], rows };
  }

  /**
   * Returns what of a chunk would be sent now, with `changes`; the whole chunk without.
   *
   * @throws {CrfError} errors of reading the records
   */
  async toSend(chunk: RowChunk): Promise<Buffer> {
    if (!this.#isReduced) return chunk.data;
    const structure = await this.#loaded();
    const sent = await this.#sent(chunk);
    const rows = new Map<string, readonly PlacedRow[]>();
    for await (const { merged } of mergedRecords(structure, this.#read(sent, structure), sent, this.#how))
      rows.set(merged.view.id, rowsToSend(merged, changesOf(merged, structure)));
    return jsonOfRows(rows, structure);
  }

  /**
   * Reads the values of a confirmed call back. A replica that is late gets a few seconds.
   *
   * @param range its rows in the input
   * @throws {CrfError} errors of reading the records
   */
  async after({ rows }: ReviewedCall, { from, to }: RowRange): Promise<void> {
    await this.#journal?.confirm({ from, to });
    const { verification, call, share } = this.options;
    if (verification === undefined || this.#structure === undefined) return;
    const structure = await this.#structure;
    const doesErase = this.request.overwriteBehavior === 'overwrite';
    let open = rows;
    let left = this.options.graceMs ?? DEFAULT_GRACE_MS;
    for (let pause = FIRST_PAUSE_MS; open.size > 0; pause *= 2) {
      const stored = new Map<string, RecordRow[]>();
      for await (const [id, found] of askedRecordsOf(this.#read(open, structure), structure, open, 'verify'))
        stored.set(id, found);
      const late = new Map<string, readonly PlacedRow[]>();
      for (const [id, placed] of open) {
        const result = readBack(structure, id, stored.get(id) ?? [], placed, doesErase);
        if (result.unstored.length > 0 && left > 0) late.set(id, placed);
        else verification.add(result);
        if (share.hasSpent(placed.length * WORK_PER_ROW)) await share.pause();
      }
      open = late;
      if (open.size > 0) await setTimeout(Math.min(pause, left), undefined, { signal: call.signal });
      left -= pause;
    }
  }

  /** Whether only what changes is sent. */
  get #isReduced(): boolean {
    return this.options.changes !== undefined;
  }

  #loaded(): Promise<ProjectStructure> {
    return (this.#structure ??= loadProjectStructure(this.source, this.options.call));
  }

  async #sent({ data, places }: RowChunk): Promise<ReadonlyMap<string, readonly PlacedRow[]>> {
    return sentByRecord(data, places, await this.#loaded(), this.request, this.options.share);
  }

  get #how() {
    const doesErase = this.request.overwriteBehavior === 'overwrite';
    return { doesErase, option: this.#isReduced || this.request.dryRun ? 'changes' : 'verify' };
  }

  /** Merges rows with what is stored of their records, and warns of what that shows. */
  async *#merged(sent: ReadonlyMap<string, readonly PlacedRow[]>, structure: ProjectStructure) {
    const { dryRun, forceAutoNumber } = this.request;
    const warnings = (this.#warnings ??= new ImportWarnings(
      structure,
      this.options.warnings,
      this.options.share,
    ));
    const exported = dryRun && forceAutoNumber ? undefined : this.#read(sent, structure);
    for await (const { merged, stored, rows } of mergedRecords(structure, exported, sent, this.#how)) {
      warnings.checkArms(merged.view.id, stored, rows);
      warnings.checkNumbers(merged);
      yield { merged, warnings };
    }
  }

  /** Streams the columns of the rows, and with a journal the status of their forms; in a dry run whole records. */
  #read(
    sent: ReadonlyMap<string, readonly PlacedRow[]>,
    structure: ProjectStructure,
  ): AsyncIterable<RecordRow> {
    const selected = { records: [...sent.keys()], exportBlankForGrayFormStatus: true, ...this.options.call };
    if (this.request.dryRun)
      return this.source.streamRecords({
        ...selected,
        ...(this.#isReduced && { exportDataAccessGroups: true }),
      });
    const { dictionary } = structure;
    const missing = structure.missingDataColumns();
    const fields = new Set([dictionary.recordIdField?.name ?? '']);
    let hasGroup = false;
    const names = new Set<string>();
    for (const rows of sent.values())
      for (const { values, group } of rows) {
        hasGroup ||= group !== undefined;
        for (const name of values.keys()) names.add(name);
      }
    for (const name of names) {
      const column = dictionary.column(name);
      fields.add(column?.field?.name ?? missing.get(name)?.name ?? name);
      if (column !== undefined && this.#journal !== undefined) fields.add(formStatusName(column.instrument));
    }
    return this.source.streamRecords({
      ...{ ...selected, fields: [...fields] },
      ...(hasGroup && { exportDataAccessGroups: true }),
      // Once admitted, an import that has stored something is not refused its turn.
      isContinuation: this.#hasRead,
    });
  }

  /** Decides what of a record is sent, and what has to be kept of it. */
  #reviewed(
    merged: MergedRecord,
    structure: ProjectStructure,
  ): { readonly kept: readonly PlacedRow[]; readonly entry: JournalRecord | undefined } {
    const { id } = merged.view;
    const [first] = merged.touched;
    const found = changesOf(merged, structure);
    if (first === undefined || !this.#isReduced)
      return { kept: allRows(merged), entry: journalEntry(merged, found, structure, true) };
    const { changes } = this.options;
    const creation = newRecord(id, structure.dictionary.recordIdField?.name ?? '', first.place);
    if (merged.sample === undefined) {
      if (!this.#accepts(creation, creation, structure)) return { kept: [], entry: undefined };
      changes?.addNew(creation);
      return { kept: allRows(merged), entry: journalEntry(merged, found, structure, true) };
    }
    const accepted = found.changes.filter(({ change }) => this.#accepts(change, creation, structure));
    const left = { ...found, changes: accepted };
    changes?.addStored(id, left);
    return { kept: rowsToSend(merged, left), entry: journalEntry(merged, left, structure, false) };
  }

  /** Whether somebody saw a change before they agreed to it; notes those that nobody has. */
  #accepts(change: ImportChange, creation: ImportChange, structure: ProjectStructure): boolean {
    const { seen } = this.options;
    if (seen === undefined) return true;
    const typed = (value: string): string => comparable(value, change.field, structure);
    if (seen.has(change, creation, typed(change.old))) {
      seen.addStored(change, typed(change.new));
      return true;
    }
    this.#conflictCount++;
    if (this.#conflicts.length < MAX_CONFLICTS) this.#conflicts.push(change);
    return false;
  }
}

/** Whether the token may not export records as they are. */
function isUnreadable(error: unknown): boolean {
  return isRefusal(error) || error instanceof HashedIdsError;
}

function conflictOf(changes: readonly ImportChange[]): ProblemError {
  return new ProblemError('precondition_failed', {
    errors: changes.map(({ record, field, row }) => ({
      ...{ record, field, row },
      message: 'has another value than the one that was read',
    })),
  });
}

/** The first pause before values that a replica may not have yet are read again. Each later one is twice as long. */
const FIRST_PAUSE_MS = 200;
const MAX_CONFLICTS = 100;
/** The work of comparing a row, in bytes processed by an import. */
const WORK_PER_ROW = 512;

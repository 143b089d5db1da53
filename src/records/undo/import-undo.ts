import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { InvalidRecordsError } from '../../domain/errors/caller-errors.js';
import type {
  CallOptions,
  CrfClient,
  DeleteRecordsOptions,
  RecordRow,
} from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { checkCount } from '../import/confirmed-count.js';
import { EventLoopShare } from '../import/event-loop-share.js';
import type { JournalRecord, JournalStep } from '../import/import-journal.js';
import { cellsOf } from '../import/rows-to-send.js';
import type { PlacedRow } from '../import/warnings/sent-rows.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import { askedRecordsOf } from '../rules/hashed-ids.js';
import {
  hasNewInstances,
  mergeEntries,
  undoOf,
  type BegunForm,
  type RecordUndo,
  type UndoCell,
} from './record-undo.js';

/** The operations that an undo needs. */
export interface UndoClient
  extends StructureSource, Pick<CrfClient, 'streamRecords' | 'importData' | 'getVersion'> {
  readonly records: Pick<CrfClient['records'], 'delete'>;
}

export interface ImportUndoOptions {
  readonly call: CallOptions;
  /** Finds out what an undo would do, and stores nothing. */
  readonly dryRun: boolean;
  /** The records that several steps of the journal are about. */
  readonly repeated: ReadonlySet<string>;
  /** Called for each cell and record. */
  readonly onEntry?: ((entry: UndoEntry) => void) | undefined;
}

/**
 * One thing that an undo did or left: a value `restored`, a record `deleted`, a value or a record that somebody has
 * `changed` since the import, or whose undo REDCap `refused`. Of a record, the field is that of its id.
 */
export interface UndoEntry extends UndoCell {
  readonly kind: 'restored' | 'deleted' | 'changed' | 'refused';
}

/** What an undo did, or with `dryRun` would do. */
export interface UndoOutcome {
  readonly restored: number;
  readonly deleted: number;
  /** Values that somebody has changed since the import. They stay as they are, and so do records that have some. */
  readonly changed: number;
  /** Values and records that REDCap refused to change. */
  readonly refused: number;
  /** Columns that the import changed although they could not be read: their earlier values are not known. */
  readonly unreadable: readonly string[];
  readonly dryRun?: true;
}

/**
 * Undoes an import call by call. What is undone already is left alone, so that an undo that was interrupted is
 * repeated. Memory: one step of the journal, and the records that are in several of them.
 */
export class ImportUndo {
  readonly #share = new EventLoopShare();
  readonly #counts = { restored: 0, deleted: 0, changed: 0, refused: 0 };
  readonly #unreadable = new Set<string>();
  #structure: Promise<ProjectStructure> | undefined;
  #deletesForms: Promise<boolean> | undefined;

  constructor(
    private readonly client: UndoClient,
    private readonly options: ImportUndoOptions,
  ) {}

  /**
   * @param steps what the calls of the import changed, the last one first
   * @throws {HashedIdsError} REDCap answers hashed ids, by which nothing can be told
   * @throws {CrfError} errors of reading and of storing; what was undone before stays so
   */
  async run(steps: AsyncIterable<JournalStep>): Promise<UndoOutcome> {
    // What several calls have changed is undone at the end, as if one call had.
    const repeated = new Map<string, JournalRecord>();
    for await (const { records } of steps) {
      const once: JournalRecord[] = [];
      for (const entry of records) {
        const later = repeated.get(entry.id);
        if (!this.options.repeated.has(entry.id)) once.push(entry);
        else repeated.set(entry.id, later === undefined ? entry : mergeEntries(entry, later));
      }
      await this.#undo(once);
    }
    const left = [...repeated.values()];
    for (let at = 0; at < left.length; at += BATCH) await this.#undo(left.slice(at, at + BATCH));
    const { dryRun } = this.options;
    return { ...this.#counts, unreadable: [...this.#unreadable], ...(dryRun && { dryRun }) };
  }

  /** Returns whether REDCap has stored the instances that it was to number in a call whose answer was lost. */
  async hasStored({ records }: JournalStep): Promise<boolean> {
    const structure = await this.#loaded();
    const stored = await this.#read(records, structure);
    return records.every((entry) => hasNewInstances(structure, entry, stored.get(entry.id) ?? []));
  }

  async #undo(records: readonly JournalRecord[]): Promise<void> {
    if (records.length === 0) return;
    const structure = await this.#loaded();
    const stored = await this.#read(records, structure);
    const undone: (readonly [JournalRecord, RecordUndo])[] = [];
    for (const entry of records) {
      undone.push([entry, undoOf(structure, entry, stored.get(entry.id) ?? [])]);
      for (const name of entry.unreadable) this.#unreadable.add(name);
      if (this.#share.hasSpent(WORK_PER_RECORD)) await this.#share.pause();
    }
    const refused = this.options.dryRun ? new Set<string>() : await this.#store(undone, structure);
    const idField = structure.dictionary.recordIdField?.name ?? '';
    for (const [{ id }, undo] of undone) this.#report(id, idField, undo, refused);
  }

  #loaded(): Promise<ProjectStructure> {
    return (this.#structure ??= loadProjectStructure(this.client, this.options.call));
  }

  async #read(
    records: readonly JournalRecord[],
    structure: ProjectStructure,
  ): Promise<Map<string, readonly RecordRow[]>> {
    const stored = new Map<string, readonly RecordRow[]>();
    const asked = new Map(records.map((entry) => [entry.id, entry]));
    const exported = this.client.streamRecords({
      ...{ records: [...asked.keys()], exportDataAccessGroups: true },
      exportBlankForGrayFormStatus: true,
      ...this.options.call,
    });
    for await (const [id, rows] of askedRecordsOf(exported, structure, asked, 'undo')) stored.set(id, rows);
    return stored;
  }

  /** @returns the keys of the cells and records that REDCap refused */
  async #store(
    undone: readonly (readonly [JournalRecord, RecordUndo])[],
    structure: ProjectStructure,
  ): Promise<Set<string>> {
    const rows = undone.flatMap(([{ id }, undo]) => undo.rows.map((row) => [id, row] as const));
    const forms = undone.flatMap(([{ id }, undo]) => undo.forms.map((form) => [id, form] as const));
    const kept = await this.#deleteForms(forms);
    const refused = await this.#import([...rows, ...kept], structure);
    const gone = undone.flatMap(([{ id }, { isDeleted }]) => (isDeleted ? [id] : []));
    if (gone.length === 0) return refused;
    try {
      await this.client.records.delete(gone, this.options.call);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const id of gone) refused.add(keyOf(id, RECORD));
    }
    return refused;
  }

  /** Stores rows. Values that REDCap refuses, such as those of a locked form, are left out. */
  async #import(
    rows: readonly (readonly [id: string, row: PlacedRow])[],
    structure: ProjectStructure,
  ): Promise<Set<string>> {
    const refused = new Set<string>();
    for (;;) {
      const left = rows.flatMap(([id, row]) => {
        const values = [...row.values].filter(([name]) => !refused.has(keyOf(id, name)));
        return values.length === 0 && row.group === undefined
          ? []
          : [[id, { ...row, values: new Map(values) }] as const];
      });
      if (left.length === 0) return refused;
      const records = [...new Set(left.map(([id]) => id))];
      try {
        const answer = await this.client.importData(
          JSON.stringify(left.map(([id, row]) => cellsOf(id, row, structure))),
          {
            ...{ format: 'json', type: 'flat', overwriteBehavior: 'overwrite', isIdempotent: true },
            ...this.options.call,
          },
        );
        checkCount(answer, records, records.length, { format: 'json' });
        return refused;
      } catch (error) {
        const known = refused.size;
        if (error instanceof InvalidRecordsError)
          for (const { record = '', field } of error.errors) refused.add(keyOf(record, field));
        if (refused.size === known) throw error;
      }
    }
  }

  /** Deletes forms. @returns the rows that erase their values where they may not be deleted */
  async #deleteForms(
    forms: readonly (readonly [id: string, form: BegunForm])[],
  ): Promise<(readonly [string, PlacedRow])[]> {
    const byPlace = new Map<string, { readonly part: DeleteRecordsOptions; readonly ids: string[] }>();
    for (const [id, { instrument, event, instance }] of forms) {
      const part = { instrument, ...(event !== '' && { event }), ...(instance > 0 && { instance }) };
      const key = JSON.stringify(part);
      const { ids } = byPlace.get(key) ?? { ids: [] };
      byPlace.set(key, { part, ids: [...ids, id] });
    }
    for (const { part, ids } of byPlace.values()) {
      if (!(await this.#deleted(ids, part))) return forms.map(([id, { erased }]) => [id, erased] as const);
    }
    return [];
  }

  async #deleted(ids: readonly string[], part: DeleteRecordsOptions): Promise<boolean> {
    // A REDCap that did not know the parameters would delete whole records.
    this.#deletesForms ??= this.client
      .getVersion(this.options.call)
      .then((version) => Number.parseInt(version, 10) >= FIRST_KNOWN_VERSION);
    if (!(await this.#deletesForms)) return false;
    try {
      await this.client.records.delete(ids, { ...part, ...this.options.call });
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#deletesForms = Promise.resolve(false);
      return false;
    }
  }

  #report(id: string, idField: string, undo: RecordUndo, refused: ReadonlySet<string>): void {
    for (const cell of undo.restored)
      this.#add({ ...cell, kind: refused.has(keyOf(id, cell.field)) ? 'refused' : 'restored' });
    for (const cell of undo.changed) this.#add({ ...cell, kind: 'changed' });
    if (!undo.isDeleted) return;
    const kind = refused.has(keyOf(id, RECORD)) ? 'refused' : 'deleted';
    this.#add({ record: id, event: '', instance: null, field: idField, stored: id, before: '', kind });
  }

  #add(entry: UndoEntry): void {
    this.#counts[entry.kind]++;
    this.options.onEntry?.(entry);
  }
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** In place of a field: the record itself. No field has this name. */
const RECORD = '*';
/** The first major version whose parameters are described. @see docs/protocol/redcap.md 6.1 (doc) */
const FIRST_KNOWN_VERSION = 14;
const WORK_PER_RECORD = 2_048;
const BATCH = 1_000;

import { kindOf, valueOfNumber } from '../../domain/dictionary/typed-values.js';
import { valuesOf } from '../../domain/dictionary/spreadsheet-damage.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { ImportChange, ImportChanges, Lookalike } from '../../gateways/redcap/crf-client.js';
import type { RowPlace } from './input-item.js';
import type { RecordSource } from './known-records.js';
import { foldedRecord } from './confirmed-count.js';
import { SentRecords } from './sent-records.js';
import { textOf } from '../rules/record-view.js';
import type { MergedRecord, TouchedRow } from './warnings/merged-record.js';

/**
 * Collects what an import would change, in bounded memory: counts, the first thousand changes, and a hash for each of
 * at most a million records. A record that is changed by several calls counts once.
 */
export class ChangeList {
  readonly #changed = new SentRecords();
  readonly #seen = new SentRecords();
  readonly #counts = { new: 0, set: 0, changed: 0, erased: 0 };
  readonly #records = { all: 0, changed: 0 };
  #dags = 0;
  /** By column: values erased, less those set or changed. */
  readonly #erased = new Map<string, number>();
  readonly #unreadable = new Set<string>();
  readonly #lookalikes: Lookalike[] = [];
  #lookalikeCount = 0;
  readonly #first: ImportChange[] = [];

  /** @param listener called for each change */
  constructor(private readonly listener?: (change: ImportChange) => void) {}

  get changes(): ImportChanges {
    const { new: created, ...values } = this.#counts;
    const { all, changed } = this.#records;
    return {
      records: { new: created, changed, unchanged: all - created - changed },
      values,
      dags: this.#dags,
      erasing: [...this.#erased].filter(([, balance]) => balance > 0).map(([name]) => name),
      unreadable: [...this.#unreadable],
      lookalikes: { count: this.#lookalikeCount, first: this.#lookalikes },
      first: this.#first.toSorted((one, other) => one.row - other.row),
    };
  }

  /** Adds a new record. @param lookalike the id of the stored record that is probably meant */
  addNew(change: ImportChange, lookalike?: string): void {
    const { record, row, line } = change;
    if (this.#isKnown(record)) return;
    if (lookalike !== undefined) {
      this.#lookalikeCount++;
      if (this.#lookalikes.length < MAX_LOOKALIKES)
        this.#lookalikes.push({ record, stored: lookalike, row, line });
    }
    this.#add(change);
  }

  /** Adds a stored record, with what an import makes of it. */
  addStored(record: string, { changes, unreadable }: RecordChanges): void {
    this.#isKnown(record);
    for (const name of unreadable) this.#unreadable.add(name);
    for (const { change } of changes) {
      if (change.field === GROUP) this.#dags++;
      this.#add(change);
    }
    if (changes.length > 0 && this.#changed.add([record]).known.size === 0) this.#records.changed++;
  }

  #isKnown(record: string): boolean {
    if (this.#seen.add([record]).known.size > 0) return true;
    this.#records.all++;
    return false;
  }

  #add(change: ImportChange): void {
    const { kind, field } = change;
    this.#counts[kind]++;
    if (kind !== 'new')
      this.#erased.set(field, (this.#erased.get(field) ?? 0) + (kind === 'erased' ? 1 : -1));
    if (this.#first.length < MAX_NAMED) this.#first.push(change);
    this.listener?.(change);
  }
}

/** What an import changes of one stored record. */
export interface RecordChanges {
  readonly changes: readonly CellChange[];
  /** Columns whose stored values the caller may not read. */
  readonly unreadable: ReadonlySet<string>;
}

/** A change, and the row that it is on; undefined for the data access group, which is the record's. */
export interface CellChange {
  readonly change: ImportChange;
  readonly touched: TouchedRow | undefined;
}

/** Returns the change that creates a record. */
export function newRecord(record: string, idField: string, place: RowPlace): ImportChange {
  return { record, event: '', instance: null, field: idField, kind: 'new', old: '', new: record, ...place };
}

/** Compares a merged record with what is stored of it, by type. */
export function changesOf(
  { view: { id: record }, sample, touched, group }: MergedRecord,
  structure: ProjectStructure,
): RecordChanges {
  const changes: CellChange[] = [];
  const unreadable = new Set<string>();
  for (const ofRow of touched) {
    const { row, stored, columns } = ofRow;
    for (const [field, place] of columns) {
      if (sample !== undefined && !Object.hasOwn(sample, field) && isComparable(field, structure)) {
        unreadable.add(field);
        continue;
      }
      const [old, now] = [stored === undefined ? '' : textOf(stored, field), textOf(row.values, field)];
      if (isSame(old, now, field, structure)) continue;
      const [event, instance, kind] = [row.event, row.instance || null, kindOfChange(old, now)];
      // Without spreading: there may be a million changes.
      const { row: inputRow, line } = place;
      const change = { record, event, instance, field, kind, old, new: now, row: inputRow, line };
      changes.push({ change, touched: ofRow });
    }
  }
  if (group !== undefined && group.old !== group.new) {
    const cell = { record, event: '', instance: null, field: GROUP };
    changes.push({
      change: { ...cell, kind: kindOfChange(group.old, group.new), ...group },
      touched: undefined,
    });
  }
  return { changes, unreadable };
}

/** Blanks are nothing, as where they are compared: a cell that looks empty must not pass as a change. */
function kindOfChange(old: string, now: string): ImportChange['kind'] {
  return trimmed(old) === '' ? 'set' : trimmed(now) === '' ? 'erased' : 'changed';
}

/** Whether an export has the column wherever the caller may read it; those of missing data codes may be absent. */
function isComparable(name: string, { dictionary }: ProjectStructure): boolean {
  return dictionary.column(name) !== undefined;
}

/**
 * Compares two values by the type of their column: `1.50`, `+1.5` and `15e-1` are `1.5`, an unchecked box or an incomplete form that was
 * never saved is `0`, and blanks at the end of a text are nothing.
 */
export function isSame(old: string, now: string, name: string, structure: ProjectStructure): boolean {
  return old === now || comparable(old, name, structure) === comparable(now, name, structure);
}

/** Returns a value in the one form of all that are the same for `isSame`. */
export function comparable(value: string, name: string, { dictionary }: ProjectStructure): string {
  const column = dictionary.column(name);
  if (column === undefined || column.choice !== undefined || column.field === undefined) return value || '0';
  const kind = kindOf(column.field);
  const text = value.trim();
  return kind === 'integer' || kind === 'number' ? (valueOfNumber(text) ?? text) : trimmed(value);
}

function trimmed(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** Finds the stored record that a new id is probably meant for. */
export class Lookalikes {
  private constructor(private readonly ids: ReadonlyMap<string, string>) {}

  /** Lists the ids of the project in one call; only the first million are kept. */
  static async load(source: RecordSource, idField: string, call: CallOptions): Promise<Lookalikes> {
    const ids = new Map<string, string>();
    for await (const row of source.streamRecords({ ...call, fields: [idField] })) {
      const id = `${row[idField]}`;
      if (ids.size < MAX_IDS) ids.set(/^\d+$/.test(id) ? (valuesOf(id)[0] ?? id) : alike(id), id);
    }
    return new Lookalikes(ids);
  }

  of(record: string): string | undefined {
    return [alike(record), ...valuesOf(record)]
      .map((key) => this.ids.get(key))
      .find((id) => id !== undefined);
  }
}

/**
 * Returns an id without what a spreadsheet, a word processor or a typist changes: case, accents, outer blanks, leading
 * zeros, characters that nobody sees, and which dash it is.
 */
function alike(id: string): string {
  const visible = id.replace(/\p{Cf}/gu, '');
  return foldedRecord(visible)
    .replace(/\p{Pd}/gu, '-')
    .replace(/(?<!\d)0+(?=\d)/g, '');
}

export const GROUP = 'redcap_data_access_group';
const MAX_NAMED = 1_000;
const MAX_LOOKALIKES = 100;
const MAX_IDS = 1_000_000;

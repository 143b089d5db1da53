import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow, UnstoredValue, Verification } from '../../gateways/redcap/crf-client.js';
import { cellOf } from '../../gateways/redcap/record-row.js';
import { placeOf, textOf } from '../rules/record-view.js';
import { changesOf, isSame } from './import-changes.js';
import { keyOf, mergeRecord } from './warnings/merged-record.js';
import type { PlacedRow } from './warnings/sent-rows.js';

/** What the rows of one record have become in REDCap. */
export interface RecordReadBack {
  /** The number of values that are stored. */
  readonly stored: number;
  readonly unreadable: ReadonlySet<string>;
  readonly unstored: readonly UnstoredValue[];
}

/** Compares the rows that were sent for a record with those that REDCap has now, by type. */
export function readBack(
  structure: ProjectStructure,
  id: string,
  stored: readonly RecordRow[],
  sent: readonly PlacedRow[],
  doesErase: boolean,
): RecordReadBack {
  const exact = countExact(stored, sent, doesErase);
  if (exact !== undefined) return { stored: exact, unreadable: NONE, unstored: [] };
  const merged = mergeRecord(structure, id, stored, numbered(sent, stored, structure), doesErase);
  const { changes, unreadable } = changesOf(merged, structure);
  const unstored = changes.map(({ change: { kind: _kind, old, new: now, ...place } }): UnstoredValue => ({
    ...place,
    kind: old === '' ? 'absent' : 'differs',
    sent: now,
    stored: old,
  }));
  const columns = merged.touched.flatMap((row) => [...row.columns.keys()]);
  const compared = columns.filter((name) => !unreadable.has(name)).length;
  return { stored: compared + Number(merged.group !== undefined) - unstored.length, unreadable, unstored };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Counts the values if every one is stored letter for letter, as nearly always; undefined if not, and for rows that have
 * to be merged first.
 */
function countExact(
  stored: readonly RecordRow[],
  sent: readonly PlacedRow[],
  doesErase: boolean,
): number | undefined {
  const free = new Map(stored.map((row) => [keyOf(row), row]));
  let count = 0;
  for (const { event, repeatInstrument, instance, group, values } of sent) {
    if (instance === 'new' || group !== undefined) return undefined;
    const key = placeOf(event, repeatInstrument, instance);
    const row = free.get(key);
    if (row === undefined) return undefined;
    for (const [name, value] of values) {
      if (value === '' && !doesErase) continue;
      if (cellOf(row, name) !== value) return undefined;
      count++;
    }
    // A second row for the same place replaces values of the first.
    free.delete(key);
  }
  return count;
}

/** Gives the rows that REDCap has numbered the instance that has their values, if there is one. */
function numbered(
  sent: readonly PlacedRow[],
  stored: readonly RecordRow[],
  structure: ProjectStructure,
): readonly PlacedRow[] {
  if (sent.every(({ instance }) => instance !== 'new')) return sent;
  const free = new Set(stored);
  return sent.map((row) => {
    if (row.instance !== 'new') return row;
    const own = [...free].find((candidate) => isInstanceOf(row, candidate, structure));
    if (own === undefined) return row;
    free.delete(own);
    return { ...row, instance: Number(textOf(own, 'redcap_repeat_instance')) };
  });
}

function isInstanceOf(
  { event, repeatInstrument, firstInstance = 1, values }: PlacedRow,
  stored: RecordRow,
  structure: ProjectStructure,
): boolean {
  return (
    textOf(stored, 'redcap_event_name') === event &&
    textOf(stored, 'redcap_repeat_instrument') === repeatInstrument &&
    Number(textOf(stored, 'redcap_repeat_instance')) >= firstInstance &&
    [...values].every(
      ([name, value]) =>
        value === '' || !Object.hasOwn(stored, name) || isSame(textOf(stored, name), value, name, structure),
    )
  );
}

/** Collects what was read back, in bounded memory. */
export class VerificationList {
  readonly #counts = { stored: 0, differs: 0, absent: 0 };
  readonly #unreadable = new Set<string>();
  readonly #first: UnstoredValue[] = [];

  get verification(): Verification {
    return {
      ...this.#counts,
      unreadable: [...this.#unreadable],
      first: this.#first.toSorted((one, other) => one.row - other.row),
    };
  }

  add({ stored, unreadable, unstored }: RecordReadBack): void {
    this.#counts.stored += stored;
    for (const name of unreadable) this.#unreadable.add(name);
    for (const value of unstored) {
      this.#counts[value.kind]++;
      if (this.#first.length < MAX_NAMED) this.#first.push(value);
    }
  }
}

const MAX_NAMED = 1_000;

import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { textOf } from '../rules/record-view.js';
import { type Cells } from './cell-values.js';
import { GROUP, type RecordChanges } from './import-changes.js';
import type { JournalRecord } from './import-journal.js';
import type { MergedRecord, TouchedRow } from './warnings/merged-record.js';
import type { PlacedRow } from './warnings/sent-rows.js';

/** Returns all rows that an import has for a record, one for each place. */
export function allRows({ touched, group }: MergedRecord): readonly PlacedRow[] {
  return withGroup(
    touched.map((row) => placedRow(row, row.columns.keys())),
    group?.new,
  );
}

/**
 * Returns the rows that change a record: of a stored one with no other cells than those that change or cannot be
 * compared, of a new one all.
 */
export function rowsToSend(
  merged: MergedRecord,
  { changes, unreadable }: RecordChanges,
): readonly PlacedRow[] {
  const { touched } = merged;
  if (merged.sample === undefined) return allRows(merged);
  const names = new Map<TouchedRow, string[]>(
    touched.map((row) => [row, [...row.columns.keys()].filter((name) => unreadable.has(name))]),
  );
  for (const { change, touched: row } of changes) if (row !== undefined) names.get(row)?.push(change.field);
  const group = changes.find(({ touched: row }) => row === undefined)?.change.new;
  const rows = [...names].flatMap(([row, own]) => (own.length === 0 ? [] : [placedRow(row, own)]));
  const [first] = touched;
  if (rows.length > 0 || group === undefined || first === undefined) return withGroup(rows, group);
  // The group belongs to the record: the row that brings it must not begin an instance.
  const known = touched.find(({ stored }) => stored !== undefined);
  const { event, place } = placedRow(first, []);
  const bare = { event, repeatInstrument: '', instance: 0, values: new Map<string, string>(), place };
  return withGroup([known === undefined ? bare : placedRow(known, [])], group);
}

function placedRow({ row, place, isNewInstance }: TouchedRow, names: Iterable<string>): PlacedRow {
  const { event, repeatInstrument, instance, values } = row;
  return {
    ...{ event, repeatInstrument, place },
    instance: isNewInstance ? 'new' : instance,
    ...(isNewInstance && { firstInstance: instance }),
    values: new Map([...names].map((name) => [name, textOf(values, name)])),
  };
}

function withGroup(
  [first, ...others]: readonly PlacedRow[],
  group: string | undefined,
): readonly PlacedRow[] {
  if (first === undefined) return [];
  return group === undefined ? [first, ...others] : [{ ...first, group }, ...others];
}

/** Returns rows as the JSON of REDCap's flat import. */
export function jsonOfRows(
  rows: ReadonlyMap<string, readonly PlacedRow[]>,
  structure: ProjectStructure,
): Buffer {
  const cells = [...rows].flatMap(([id, placed]) => placed.map((row) => cellsOf(id, row, structure)));
  return Buffer.from(JSON.stringify(cells));
}

/** Returns a row as REDCap's flat import has it. */
export function cellsOf(
  id: string,
  { event, repeatInstrument, instance, group, values }: PlacedRow,
  { dictionary, isLongitudinal }: ProjectStructure,
): Cells {
  const cells: Cells = {};
  cells[dictionary.recordIdField?.name ?? ''] = id;
  if (isLongitudinal) cells['redcap_event_name'] = event;
  if (instance !== 0) {
    cells['redcap_repeat_instrument'] = repeatInstrument;
    cells['redcap_repeat_instance'] = String(instance);
  }
  if (group !== undefined) cells[GROUP] = group;
  for (const [name, value] of values) cells[name] = value;
  return cells;
}

/**
 * Returns what a call replaces of a record; undefined if that is nothing.
 *
 * @param isWhole whether all cells are sent: then a form that was never saved gets a status that equals none by type
 */
export function journalEntry(
  { view: { id }, sample, touched, group }: MergedRecord,
  { changes, unreadable }: RecordChanges,
  { dictionary }: ProjectStructure,
  isWhole: boolean,
): JournalRecord | undefined {
  const cells = new Map<TouchedRow, [string, string, string][]>();
  for (const { change, touched: row } of changes) {
    if (row === undefined) continue;
    const own = cells.get(row) ?? [];
    cells.set(row, own);
    own.push([change.field, change.old, change.new]);
  }
  for (const row of isWhole ? touched : []) {
    for (const name of row.columns.keys()) {
      const column = dictionary.column(name);
      const isBegun =
        column !== undefined && column.field === undefined && textOf(row.row.values, name) === '0';
      if (!isBegun || unreadable.has(name) || (row.stored !== undefined && textOf(row.stored, name) !== ''))
        continue;
      cells.set(row, [...(cells.get(row) ?? []), [name, '', '0']]);
    }
  }
  const hasGroup = changes.some(({ touched: row }) => row === undefined);
  if (sample !== undefined && cells.size === 0 && !hasGroup && unreadable.size === 0) return undefined;
  return {
    id,
    isNew: sample === undefined,
    ...(hasGroup && group && { group: [group.old, group.new] as const }),
    unreadable: [...unreadable],
    rows: touched.flatMap((change) => {
      const { row, stored, isNewInstance } = change;
      const own = cells.get(change);
      if (own === undefined) return [];
      const { event, repeatInstrument, instance } = row;
      const forms = new Set(own.flatMap(([name]) => dictionary.column(name)?.instrument ?? []));
      const begun = [...forms].filter(
        (form) => stored === undefined || textOf(stored, formStatusName(form)) === '',
      );
      return [{ event, repeatInstrument, instance, isNewInstance, begun, cells: own }];
    }),
  };
}

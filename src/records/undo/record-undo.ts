import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { GROUP, isSame } from '../import/import-changes.js';
import type { JournalRecord, JournalRow } from '../import/import-journal.js';
import type { PlacedRow } from '../import/warnings/sent-rows.js';
import { placeOf, textOf } from '../rules/record-view.js';

/** A cell that an undo restores, or leaves as it is. */
export interface UndoCell {
  readonly record: string;
  /** Empty in a classic project, and for what concerns the whole record. */
  readonly event: string;
  /** The repeat instance; null if nothing repeats. */
  readonly instance: number | null;
  readonly field: string;
  /** What is stored. */
  readonly stored: string;
  /** What was stored before the import; empty if nothing was. */
  readonly before: string;
}

/** A form that an import has begun. */
export interface BegunForm {
  readonly instrument: string;
  readonly event: string;
  /** 0 if nothing repeats. */
  readonly instance: number;
  /** Its values erased, for those who may not delete it. */
  readonly erased: PlacedRow;
}

/** What undoes the changes of one call to a record. */
export interface RecordUndo {
  /** Whether the record goes: it has nothing but what the import gave it. */
  readonly isDeleted: boolean;
  /** The rows that bring the earlier values back, in an import in which blanks erase. */
  readonly rows: readonly PlacedRow[];
  readonly forms: readonly BegunForm[];
  /** The cells that `rows` and `forms` restore. */
  readonly restored: readonly UndoCell[];
  /** The cells that somebody has changed since the import; of a record that would be deleted, all that are not from it. */
  readonly changed: readonly UndoCell[];
}

/**
 * Compares what an import stored of a record with what is there now. A value that is no longer what the import stored
 * is left as it is.
 *
 * @param stored all rows of the record, with its group and blank form statuses; empty if it is gone
 */
export function undoOf(
  structure: ProjectStructure,
  entry: JournalRecord,
  stored: readonly RecordRow[],
): RecordUndo {
  const own = locate(structure, entry.rows, stored);
  if (stored.length === 0) return NOTHING;
  if (entry.isNew) {
    const expected = new Map([...own].map(([row, found]) => [found, row]));
    const changed = stored.flatMap((row) => strangeCells(structure, entry.id, row, expected.get(row)));
    const group = textOf(stored[0] ?? {}, GROUP);
    if (group !== '' && !(entry.group ?? []).slice(1).includes(group))
      changed.push(groupCell(entry.id, group, ''));
    return { ...NOTHING, isDeleted: changed.length === 0, changed };
  }
  const parts = entry.rows.map((row) => undoOfRow(structure, entry.id, row, own.get(row)));
  const group = undoOfGroup(entry, stored);
  return {
    isDeleted: false,
    rows: [...parts.flatMap(({ rows }) => rows), ...group.rows],
    forms: parts.flatMap(({ forms }) => forms),
    restored: [...parts.flatMap(({ restored }) => restored), ...group.restored],
    changed: [...parts.flatMap(({ changed }) => changed), ...group.changed],
  };
}

/** Joins what two calls of an import changed of a record. */
export function mergeEntries(earlier: JournalRecord, later: JournalRecord): JournalRecord {
  const [, ...laterGroups] = later.group ?? [''];
  const group = earlier.group === undefined ? later.group : ([...earlier.group, ...laterGroups] as const);
  const keyOf = (row: JournalRow): string => placeOf(row.event, row.repeatInstrument, row.instance);
  const rows = new Map(earlier.rows.map((row) => [keyOf(row), row]));
  for (const row of later.rows) {
    const before = rows.get(keyOf(row));
    rows.set(keyOf(row), before === undefined ? row : mergeRows(before, row));
  }
  return {
    id: earlier.id,
    isNew: earlier.isNew,
    ...(group && { group }),
    rows: [...rows.values()],
    unreadable: [...earlier.unreadable, ...later.unreadable],
  };
}

function mergeRows(earlier: JournalRow, later: JournalRow): JournalRow {
  const cells = new Map(earlier.cells.map((cell) => [cell[0], cell]));
  for (const cell of later.cells) {
    const [name, , ...now] = cell;
    const before = cells.get(name);
    cells.set(name, before === undefined ? cell : [...before, ...now]);
  }
  return {
    ...later,
    isNewInstance: earlier.isNewInstance && later.isNewInstance,
    begun: [...new Set([...earlier.begun, ...later.begun])],
    cells: [...cells.values()],
  };
}

/** Returns whether a project has all that an import gave to instances that REDCap numbered. */
export function hasNewInstances(
  structure: ProjectStructure,
  { rows }: JournalRecord,
  stored: readonly RecordRow[],
): boolean {
  const own = locate(structure, rows, stored);
  return rows.every((row) => !row.isNewInstance || own.has(row));
}

const NOTHING: RecordUndo = { isDeleted: false, rows: [], forms: [], restored: [], changed: [] };
type RowUndo = Omit<RecordUndo, 'isDeleted'>;

/** Finds the stored row of each row of a journal; one that REDCap has numbered is found by its values. */
function locate(
  structure: ProjectStructure,
  rows: readonly JournalRow[],
  stored: readonly RecordRow[],
): Map<JournalRow, RecordRow> {
  const found = new Map<JournalRow, RecordRow>();
  const free = new Set(stored);
  for (const row of rows) {
    const match = [...free].find((candidate) => {
      if (textOf(candidate, 'redcap_event_name') !== row.event) return false;
      if (textOf(candidate, 'redcap_repeat_instrument') !== row.repeatInstrument) return false;
      const instance = Number(textOf(candidate, 'redcap_repeat_instance'));
      if (!row.isNewInstance) return instance === row.instance;
      const hasValues = row.cells.every(([name, , ...now]) =>
        now.some((value) => isSame(textOf(candidate, name), value, name, structure)),
      );
      return instance >= row.instance && hasValues;
    });
    if (match === undefined) continue;
    found.set(row, match);
    free.delete(match);
  }
  return found;
}

function undoOfRow(
  structure: ProjectStructure,
  id: string,
  row: JournalRow,
  stored: RecordRow | undefined,
): RowUndo {
  const { event, repeatInstrument, begun, cells } = row;
  const instance = stored === undefined ? row.instance : Number(textOf(stored, 'redcap_repeat_instance'));
  const place = { record: id, event, instance: instance || null };
  const rowWith = (restored: readonly UndoCell[]): PlacedRow[] =>
    restored.length === 0
      ? []
      : [
          {
            ...{ event, repeatInstrument, instance, place: NOWHERE },
            values: new Map(restored.map(({ field, before }) => [field, before])),
          },
        ];
  const restored: UndoCell[] = [];
  const changed: UndoCell[] = [];
  for (const [field, before, ...now] of cells) {
    const current = stored === undefined ? '' : textOf(stored, field);
    const cell = { ...place, field, stored: current, before };
    if (current === before) continue;
    if (now.some((value) => isSame(current, value, field, structure))) restored.push(cell);
    else if (!isSame(current, before, field, structure)) changed.push(cell);
  }
  const statusOf = (form: string): string =>
    stored === undefined ? '' : textOf(stored, formStatusName(form));
  const formOf = ({ field }: UndoCell): string => structure.dictionary.column(field)?.instrument ?? '';
  const deleted = begun.filter(
    (form) =>
      stored !== undefined &&
      statusOf(form) !== '' &&
      strangeCells(structure, id, stored, row, form).length === 0,
  );
  // The first value of a form gives it a status.
  for (const form of deleted) {
    const field = formStatusName(form);
    if (!restored.some((cell) => cell.field === field))
      restored.push({ ...place, field, stored: statusOf(form), before: '' });
  }
  const erased = restored.filter((cell) => !deleted.includes(formOf(cell)));
  return {
    rows: rowWith(erased),
    forms: deleted.flatMap((instrument) =>
      rowWith(restored.filter((cell) => formOf(cell) === instrument)).map((blank) => ({
        ...{ instrument, event, instance },
        erased: blank,
      })),
    ),
    restored,
    changed,
  };
}

function undoOfGroup({ id, group, rows }: JournalRecord, stored: readonly RecordRow[]): RowUndo {
  const [first] = stored;
  if (group === undefined || first === undefined) return NOTHING;
  const [before, ...now] = group;
  const current = textOf(first, GROUP);
  const cell = groupCell(id, current, before);
  if (current === before) return NOTHING;
  if (!now.includes(current)) return { ...NOTHING, changed: [cell] };
  const event = rows[0]?.event ?? textOf(first, 'redcap_event_name');
  const row = { ...BARE, event, group: before };
  return { ...NOTHING, rows: [row], restored: [cell] };
}

function groupCell(record: string, stored: string, before: string): UndoCell {
  return { record, event: '', instance: null, field: GROUP, stored, before };
}

/** Returns the cells of a stored row, or of one form on it, that are neither empty nor what an import gave it. */
function strangeCells(
  structure: ProjectStructure,
  record: string,
  stored: RecordRow,
  row: JournalRow | undefined,
  form?: string,
): UndoCell[] {
  const given = new Map(row?.cells.map(([field, , ...now]) => [field, now]));
  const { dictionary } = structure;
  const [event, instance] = ['redcap_event_name', 'redcap_repeat_instance'].map((name) =>
    textOf(stored, name),
  );
  return Object.keys(stored).flatMap((field) => {
    const column = dictionary.column(field);
    if (column === undefined || field === dictionary.recordIdField?.name) return [];
    if (form !== undefined && column.instrument !== form) return [];
    const value = textOf(stored, field);
    const isUnset =
      value === '' || (value === '0' && (column.choice !== undefined || column.field === undefined));
    const isComputed =
      column.field?.type === 'calc' || /@CALC(?:TEXT|DATE)\b/i.test(column.field?.annotation ?? '');
    const expected = given.get(field) ?? [];
    if (isUnset || isComputed || expected.some((now) => isSame(value, now, field, structure))) return [];
    return [
      { record, event: event ?? '', instance: Number(instance) || null, field, stored: value, before: '' },
    ];
  });
}

const NOWHERE = { row: 0, line: 0 };
const BARE = { repeatInstrument: '', instance: 0, values: new Map<string, string>(), place: NOWHERE };

import { formStatusName } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import { standsOn } from './export-values.js';
import { normaliseDate, type DateOrder } from './import-dates.js';
import type { PlacedRow } from './import-rows.js';
import { scopeOf } from './logic-scope.js';
import { StoredRecord, type StoredRow } from './stored-record.js';

export interface ApplyOptions {
  /** Blank values erase; otherwise they change nothing. */
  readonly isOverwrite: boolean;
  readonly dateOrder: DateOrder;
  /** A study that is loaded has files; an import cannot bring any. */
  readonly keepsFiles?: boolean;
}

/**
 * Puts rows that were found valid into the store. Each record is changed as a copy and put back at the end, so that a
 * failure on the way changes nothing.
 *
 * @returns the ids of the records, each once
 */
export function applyRows(
  project: SandboxProject,
  rows: readonly PlacedRow[],
  options: ApplyOptions,
): string[] {
  const changed = new Map<string, StoredRecord>();
  for (const row of rows) {
    const record = changed.get(row.record) ?? copyOf(project, row.record);
    changed.set(row.record, record);
    applyRow(project, record, row, options);
  }
  for (const record of changed.values()) {
    record.changedAt = project.now();
    project.records.set(record);
  }
  return [...changed.keys()];
}

function copyOf(project: SandboxProject, id: string): StoredRecord {
  return project.records.get(id)?.clone() ?? new StoredRecord(id, project.now());
}

function applyRow(
  project: SandboxProject,
  record: StoredRecord,
  row: PlacedRow,
  options: ApplyOptions,
): void {
  const target = record.rowAt({
    event: row.event,
    instrument: row.instrument,
    instance: instanceOf(record, row),
  });
  const touched = new Set<string>();
  for (const [name, value] of row.values) {
    const column = project.dictionary.column(name);
    if (column === undefined || column.field?.type === 'calc') continue;
    if (column.field?.type === 'file' && !options.keepsFiles) continue;
    if (value === '' && !options.isOverwrite) continue;
    const isDate = column.field?.validationType.startsWith('date') ?? false;
    setValue(target, name, isDate && value !== '' ? normaliseDate(value, options.dateOrder) : value);
    if (value !== '') touched.add(column.instrument);
  }
  // A form that was touched has a status: incomplete, unless it was sent (client).
  for (const instrument of touched) {
    const status = formStatusName(instrument);
    if (!target.values.has(status)) target.values.set(status, '0');
  }
  recalculate(project, record, target);
}

/** `new` is the next free instance; several in one import get successive numbers. (doc, inferred) */
function instanceOf(record: StoredRecord, { event, instrument, instance }: PlacedRow): number {
  if (instance === 'new') return record.lastInstance(event, instrument) + 1;
  return instance === '' ? 0 : Number(instance);
}

function setValue(row: StoredRow, name: string, value: string): void {
  if (value === '') row.values.delete(name);
  else row.values.set(name, value);
}

/** Calculated fields of the row that changed. A formula that this sandbox cannot read leaves the field blank. */
function recalculate(project: SandboxProject, record: StoredRecord, row: StoredRow): void {
  for (const { field, logic } of project.calculations) {
    if (!standsOn(project, field.instrument, row)) continue;
    setValue(row, field.name, logic === undefined ? '' : String(logic.value(scopeOf(project, record, row))));
  }
}

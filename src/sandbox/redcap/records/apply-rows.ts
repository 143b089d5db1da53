import { formStatusName } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import { standsOn } from './export-values.js';
import { normaliseDate, type DateOrder } from './import-dates.js';
import type { PlacedRow } from './import-rows.js';
import { scopeOf } from './logic-scope.js';
import { StoredRecord, type Place, type StoredRow } from './stored-record.js';

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
  const now = project.now();
  const changed = new Map<string, StoredRecord>();
  for (const row of rows) {
    const record =
      changed.get(row.record) ??
      project.records.get(row.record)?.clone() ??
      new StoredRecord(row.record, now);
    changed.set(row.record, record);
    applyRow(project, record, row, options);
  }
  for (const row of rows) {
    const record = changed.get(row.record);
    if (record?.isEmpty) record.rowAt(placeOf(record, row)); // a record that holds nothing has a row all the same
  }
  for (const record of changed.values()) {
    recalculate(project, record);
    record.changedAt = now;
    project.records.set(record);
  }
  return [...changed.keys()];
}

function applyRow(
  project: SandboxProject,
  record: StoredRecord,
  row: PlacedRow,
  options: ApplyOptions,
): void {
  const values = storableValues(project, row, options);
  const place = placeOf(record, row);
  // A row that brings nothing makes no row of its own. (client)
  if (values.length === 0) return;
  const target = record.rowAt(place);
  for (const { name, value } of values) setValue(target, name, value);
  // A form that was touched has a status: incomplete, unless it was sent. (client)
  for (const { instrument, value } of values) {
    const status = formStatusName(instrument);
    if (value !== '' && !target.values.has(status)) target.values.set(status, '0');
  }
}

interface StorableValue {
  readonly name: string;
  readonly instrument: string;
  readonly value: string;
}

/** Without calculated fields, which are computed again, and blanks that change nothing. */
function storableValues(project: SandboxProject, row: PlacedRow, options: ApplyOptions): StorableValue[] {
  const storable: StorableValue[] = [];
  for (const [name, value] of row.values) {
    const column = project.dictionary.column(name);
    if (column === undefined || column.field?.type === 'calc') continue;
    if (column.field?.type === 'file' && options.keepsFiles !== true) continue;
    if (value === '' && !options.isOverwrite) continue;
    const isDate = value !== '' && column.field?.validationType.startsWith('date') === true;
    storable.push({
      name,
      instrument: column.instrument,
      value: isDate && !project.isMissingCode(value) ? normaliseDate(value, options.dateOrder) : value,
    });
  }
  return storable;
}

/** `new` is the next free instance; several in one import get successive numbers. (doc, inferred) */
function placeOf(record: StoredRecord, { event, instrument, instance }: PlacedRow): Place {
  const number =
    instance === 'new' ? record.lastInstance(event, instrument) + 1 : instance === '' ? 0 : Number(instance);
  return { event, instrument, instance: number };
}

function setValue(row: StoredRow, name: string, value: string): void {
  if (value === '') row.values.delete(name);
  else row.values.set(name, value);
}

/** The whole record, since a formula may look at another event. What the sandbox cannot read stays blank. */
function recalculate(project: SandboxProject, record: StoredRecord): void {
  for (const row of record.rows) {
    if (row.values.size === 0) continue;
    for (const { field, logic } of project.calculations) {
      if (!standsOn(project, field.instrument, row)) continue;
      const result = logic === undefined ? '' : String(logic.value(scopeOf(project, record, row)));
      setValue(row, field.name, result);
    }
  }
}

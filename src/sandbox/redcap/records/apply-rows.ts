import { formStatusName } from '../../../dictionary/export-column.js';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import { isOnRow } from './export-values.js';
import { normaliseDate, type DateOrder } from './import-dates.js';
import type { PlacedRow } from './import-rows.js';
import { scopeOf } from './logic-scope.js';
import { StoredRecord, type Place, type StoredRow } from './stored-record.js';

export interface ApplyOptions {
  /** Whether blank values erase stored ones. Otherwise they are ignored. */
  readonly isOverwrite: boolean;
  readonly dateOrder: DateOrder;
  /** Whether names of files are stored: true when a study is loaded, as imports cannot bring files. */
  readonly keepsFiles?: boolean;
  /** Whether calculated values are stored as given instead of being computed: true when a study provides them. */
  readonly keepsCalculated?: boolean;
  /** Whether survey timestamps are stored: true when a study is loaded, as imports cannot bring any. */
  readonly keepsSurveyCells?: boolean;
  /** The user who imports. Undefined when a study is loaded: nothing is logged then. */
  readonly caller?: Caller;
}

/**
 * Stores validated rows. Each record is changed as a copy and stored at the end, so that a failure midway changes no
 * record.
 *
 * @returns the record IDs, each once
 */
export function applyRows(
  project: SandboxProject,
  rows: readonly PlacedRow[],
  options: ApplyOptions,
): string[] {
  const now = project.now();
  const changed = new Map<string, StoredRecord>();
  const sent = rowsByRecord(rows);
  for (const row of rows) {
    const record =
      changed.get(row.record) ??
      project.records.get(row.record)?.clone() ??
      new StoredRecord(row.record, now, options.caller?.group);
    changed.set(row.record, record);
    if (row.group !== '') record.group = row.group;
    if (row.surveyIdentifier !== '') record.surveyIdentifier = row.surveyIdentifier;
    applyRow(project, record, row, options);
  }
  for (const row of rows) {
    const record = changed.get(row.record);
    if (record?.isEmpty) record.rowAt(placeOf(record, row)); // a record without values still has one row
  }
  for (const record of changed.values()) {
    if (options.caller !== undefined) logImport(project, record, sent.get(record.id) ?? [], options.caller);
    if (options.keepsCalculated !== true) recalculate(project, record);
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
  if (values.length === 0) {
    // Naming an event saves it, so it has a row from then on. @see docs/protocol/redcap.md 20 (client)
    if (project.isLongitudinal && place.instance === 0) record.rowAt(place);
    return;
  }
  const target = record.rowAt(place);
  for (const { name, value } of values) setValue(target, name, value);
  // A form that was changed has a status: 0 (incomplete) unless the import sets it. (client)
  for (const { instrument, value, isUnchecked } of values) {
    const status = formStatusName(instrument);
    // Unchecked checkboxes alone do not save a form. @see docs/protocol/redcap.md 20 (client)
    if (value !== '' && !isUnchecked && !target.values.has(status)) target.values.set(status, '0');
  }
}

interface StorableValue {
  readonly name: string;
  readonly instrument: string;
  readonly value: string;
  readonly isUnchecked: boolean;
}

/** Returns the values to store: no calculated fields, which are computed again, no files, and no ignored blanks. */
function storableValues(project: SandboxProject, row: PlacedRow, options: ApplyOptions): StorableValue[] {
  const storable: StorableValue[] = [];
  for (const [name, value] of row.values) {
    const column = project.dictionary.column(name);
    if (column === undefined) {
      if (options.keepsSurveyCells === true && value !== '') storable.push(timestamp(name, value));
      continue;
    }
    if (column.field?.type === 'calc' && options.keepsCalculated !== true) continue;
    if (column.field?.type === 'file' && options.keepsFiles !== true) continue;
    if (value === '' && !options.isOverwrite) continue;
    const isDate = value !== '' && column.field?.validationType.startsWith('date') === true;
    storable.push({
      name,
      instrument: column.instrument,
      isUnchecked: column.choice !== undefined && value === '0',
      value: isDate && !project.isMissingCode(value) ? normaliseDate(value, options.dateOrder) : value,
    });
  }
  return storable;
}

/** Returns a survey's completion time as a value. By itself it does not save the form. */
function timestamp(name: string, value: string): StorableValue {
  return { name, instrument: name.replace(/_timestamp$/, ''), value, isUnchecked: true };
}

/** Resolves `new` to the next free instance. Several in one import get successive numbers. (doc, inferred) */
function placeOf(record: StoredRecord, { event, instrument, instance }: PlacedRow): Place {
  const number =
    instance === 'new' ? record.lastInstance(event, instrument) + 1 : instance === '' ? 0 : Number(instance);
  return { event, instrument, instance: number };
}

function setValue(row: StoredRow, name: string, value: string): void {
  if (value === '') row.values.delete(name);
  else row.values.set(name, value);
}

/**
 * Recalculates the whole record, since a formula may refer to other events. Formulas that cannot be parsed yield
 * blanks.
 */
export function recalculate(project: SandboxProject, record: StoredRecord): void {
  for (const row of record.rows) {
    if (row.values.size === 0) continue;
    for (const { field, logic } of project.calculations) {
      if (!isOnRow(project, field.instrument, row)) continue;
      const result = logic === undefined ? '' : String(logic.value(scopeOf(project, record, row)));
      setValue(row, field.name, result);
    }
  }
}

function rowsByRecord(rows: readonly PlacedRow[]): ReadonlyMap<string, readonly PlacedRow[]> {
  const groups = new Map<string, PlacedRow[]>();
  for (const row of rows) {
    const group = groups.get(row.record);
    if (group === undefined) groups.set(row.record, [row]);
    else group.push(row);
  }
  return groups;
}

/** Logs the import of one record. @see docs/protocol/redcap.md 13.2 (client) */
function logImport(
  project: SandboxProject,
  { id, group }: StoredRecord,
  sent: readonly PlacedRow[],
  caller: Caller,
): void {
  const isNew = project.records.get(id) === undefined;
  const values = sent.flatMap((row) => [...row.values]);
  project.log.add({
    username: caller.username,
    kind: isNew ? 'record_add' : 'record_edit',
    action: `${isNew ? 'Create' : 'Update'} record (API) ${id}`,
    details: values
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name} = '${value}'`)
      .join(', '),
    record: id,
    group,
  });
}

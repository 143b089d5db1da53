import { formStatusName } from '../../../dictionary/export-column.js';
import type { Caller } from '../caller.js';
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
  /** Whether calculated values are kept as they come, instead of being computed: those of a study that brings them. */
  readonly keepsCalculated?: boolean;
  /** A study that is loaded has the time stamps of its surveys; an import cannot bring any. */
  readonly keepsSurveyCells?: boolean;
  /** Whose import it is; without one nothing is logged: a study is loaded. */
  readonly caller?: Caller;
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
    if (record?.isEmpty) record.rowAt(placeOf(record, row)); // a record that holds nothing has a row all the same
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
    // An event that was named was saved, and has a row from then on. @see docs/protocol/redcap.md 20 (client)
    if (project.isLongitudinal && place.instance === 0) record.rowAt(place);
    return;
  }
  const target = record.rowAt(place);
  for (const { name, value } of values) setValue(target, name, value);
  // A form that was touched has a status: incomplete, unless it was sent. (client)
  for (const { instrument, value, isUnchecked } of values) {
    const status = formStatusName(instrument);
    // Unticked checkboxes alone do not save a form. @see docs/protocol/redcap.md 20 (client)
    if (value !== '' && !isUnchecked && !target.values.has(status)) target.values.set(status, '0');
  }
}

interface StorableValue {
  readonly name: string;
  readonly instrument: string;
  readonly value: string;
  readonly isUnchecked: boolean;
}

/** Without calculated fields, which are computed again, files, and blanks that change nothing. */
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

/** When a survey was completed: alone it does not save the form. */
function timestamp(name: string, value: string): StorableValue {
  return { name, instrument: name.replace(/_timestamp$/, ''), value, isUnchecked: true };
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

function rowsByRecord(rows: readonly PlacedRow[]): ReadonlyMap<string, readonly PlacedRow[]> {
  const groups = new Map<string, PlacedRow[]>();
  for (const row of rows) {
    const group = groups.get(row.record);
    if (group === undefined) groups.set(row.record, [row]);
    else group.push(row);
  }
  return groups;
}

/** What the log says of one record of an import. @see docs/protocol/redcap.md 13.2 (client) */
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

import { formStatusName } from '../../../domain/dictionary/export-column.js';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import { isOnRow } from './export-values.js';
import { type DateOrder, normaliseDate } from './import-validation.js';
import type { PlacedRow } from './import-rows.js';
import { scopeOf } from './logic-scope.js';
import { type Place, StoredRecord, type StoredRow } from './record-store.js';

interface ApplyOptions {
  /** Whether blank values erase stored ones. Otherwise they are ignored. */
  readonly isOverwrite: boolean;
  readonly dateOrder: DateOrder;
  /** Whether calculated values are stored as given instead of being computed: true when a study provides them. */
  readonly keepsCalculated?: boolean;
  /**
   * The user who imports. Undefined when a study is loaded: then nothing is logged, and names of files and survey
   * timestamps are stored, which imports cannot bring.
   */
  readonly caller?: Caller;
}

/**
 * Stores validated rows. Each record is changed as a copy and stored at the end, so that a failure midway changes no
 * record.
 */
export function applyRows(project: SandboxProject, rows: readonly PlacedRow[], options: ApplyOptions): void {
  const now = project.now();
  const changed = new Map<string, { readonly record: StoredRecord; readonly sent: SentRow[] }>();
  for (const row of rows) {
    const known = project.records.get(row.record)?.clone();
    const { record, sent } = changed.get(row.record) ?? {
      record: known ?? new StoredRecord(row.record, now, options.caller?.group),
      sent: [],
    };
    changed.set(row.record, { record, sent });
    record.group = groupAfter(record, row, options);
    if (row.surveyIdentifier !== '') record.surveyIdentifier = row.surveyIdentifier;
    const place = placeOf(record, row);
    storeValues(project, record, place, storableValues(project, row, options));
    sent.push({ place, values: row.values });
  }
  for (const row of rows) {
    const record = changed.get(row.record)?.record;
    if (record?.isEmpty) record.rowAt(placeOf(record, row)); // a record without values still has one row
  }
  for (const { record, sent } of changed.values()) {
    if (options.caller !== undefined) logImport(project, record, sent, options);
    if (options.keepsCalculated !== true) recalculate(project, record);
    record.changedAt = now;
    project.records.set(record);
  }
}

/**
 * Returns the group of a record after a row. A blank one takes the record out of its group if blanks erase, unless the
 * caller is in a group.
 *
 * @see docs/protocol/redcap.md 20 (client; the exception is inferred)
 */
function groupAfter(record: StoredRecord, { group }: PlacedRow, options: ApplyOptions): string {
  if (group === undefined) return record.group;
  const isErased = group === '' && options.isOverwrite && (options.caller?.group ?? '') === '';
  return isErased ? '' : group || record.group;
}

function storeValues(
  { isLongitudinal }: SandboxProject,
  record: StoredRecord,
  place: Place,
  values: readonly StorableValue[],
): void {
  // Naming an event saves it, so it has a row from then on. @see docs/protocol/redcap.md 20 (client)
  if (values.length === 0 && !(isLongitudinal && place.instance === 0)) return;
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
    const column = project.column(name);
    if (column === undefined) {
      // A survey's completion time, which does not save the form by itself.
      const instrument = name.replace(/_timestamp$/, '');
      if (options.caller === undefined && value !== '')
        storable.push({ name, instrument, value, isUnchecked: true });
      continue;
    }
    if (column.field?.type === 'calc' && options.keepsCalculated !== true) continue;
    if (column.field?.type === 'file' && options.caller !== undefined) continue;
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

/** Resolves `new` to the next free instance. Several in one import get successive numbers. (doc, inferred) */
function placeOf(record: StoredRecord, { event, instrument, instance }: PlacedRow): Place {
  const next = (): number => (record.instances(event, instrument).at(-1) ?? 0) + 1;
  const number = instance === 'new' ? next() : instance === '' ? 0 : Number(instance);
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
    for (const { field, logic } of project.structure.calculations) {
      if (!isOnRow(project, field.instrument, row)) continue;
      const result = logic === undefined ? '' : String(logic.value(scopeOf(project, record, row)));
      setValue(row, field.name, result);
    }
  }
}

/** A row as it was sent, with the place where it was stored. */
interface SentRow {
  readonly place: Place;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Logs the import of one record: an entry for each of its rows, the first of which creates it if it is new.
 *
 * @see docs/protocol/redcap.md 13.2 (client), 20 (doc)
 */
function logImport(
  project: SandboxProject,
  { id, group }: StoredRecord,
  rows: readonly SentRow[],
  { caller, isOverwrite }: ApplyOptions,
): void {
  const isNew = project.records.get(id) === undefined;
  for (const [index, { place, values }] of rows.entries()) {
    const isCreated = isNew && index === 0;
    const changes = [...values].flatMap(([name, value]) =>
      value === '' && !isOverwrite ? [] : [changeText(project, name, value)],
    );
    project.log.add({
      username: caller?.username ?? '',
      kind: isCreated ? 'record_add' : 'record_edit',
      action: `${isCreated ? 'Create' : 'Update'} record (API) ${id}${eventText(project, place)}`,
      details: [
        ...(place.instance > 0 ? [`[instance = ${place.instance}]`] : []),
        ...(isCreated ? [`${project.idField} = '${id}'`] : []),
        ...changes,
      ].join(', '),
      record: id,
      group,
    });
  }
}

/** Returns a changed value as the log has it: `age = '36'`, or for a choice of a checkbox `sites(2) = checked`. */
function changeText(project: SandboxProject, name: string, value: string): string {
  const { field, choice } = project.column(name) ?? {};
  return field === undefined || choice === undefined
    ? `${name} = '${value}'`
    : `${field.name}(${choice.code}) = ${value === '1' ? 'checked' : 'unchecked'}`;
}

/** Returns the event of a place as the log has it after the record's name: ` (Visit 1 (Arm 1: Drug A))`. */
function eventText(project: SandboxProject, { event }: Place): string {
  const found = project.event(event);
  if (found === undefined) return '';
  const arm = project.study.arms.find(({ number }) => number === found.arm);
  return ` (${found.label} (Arm ${found.arm}: ${arm?.name ?? ''}))`;
}

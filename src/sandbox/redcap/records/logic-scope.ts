import { checkboxColumnName } from '../../../domain/dictionary/export-column.js';
import type { LogicScope } from '../../../domain/logic/evaluator.js';
import type { Reference } from '../../../domain/logic/syntax.js';
import type { SandboxProject } from '../project.js';
import { isOnRow } from './export-values.js';
import type { StudyEvent } from '../study.js';
import type { Place, StoredRecord, StoredRow } from './record-store.js';

/**
 * Returns the scope for logic on one row of a record. Fields without an event or instance prefix are those of the row
 * itself.
 *
 * @see docs/protocol/redcap.md 7.1, 7.3 (doc, inferred)
 */
export function scopeOf(project: SandboxProject, record: StoredRecord, row: StoredRow): LogicScope {
  return {
    value: (reference) => valueOf(project, record, row, reference),
    smart: (name) => smartValue(project, record, row, name),
  };
}

function valueOf(
  project: SandboxProject,
  record: StoredRecord,
  row: StoredRow,
  reference: Reference,
): string {
  const { code } = reference;
  const field = reference.field.toLowerCase();
  if (field === project.idField) return record.id;
  const instrument = instrumentOf(project, field);
  const place = rowOf(project, record, row, reference, instrument);
  if (place === undefined || !isOnRow(project, instrument, place)) return code === undefined ? '' : '0';
  const stored = place.values.get(code === undefined ? field : checkboxColumnName(field, code));
  if (stored !== undefined) return stored;
  // A name that is no field is the form status of an instrument.
  return code !== undefined || project.dictionary.field(field) === undefined ? '0' : '';
}

function instrumentOf(project: SandboxProject, field: string): string {
  return project.dictionary.field(field)?.instrument ?? field.replace(/_complete$/, '');
}

/** Returns the row that a reference means: that of another event or instance, or the current one. */
function rowOf(
  project: SandboxProject,
  record: StoredRecord,
  row: StoredRow,
  { event, instance }: Reference,
  instrument: string,
): StoredRow | undefined {
  if (event === undefined && instance === undefined) return row;
  const target = event === undefined ? row.event : smartValue(project, record, row, event) || event;
  const place = project.placeOf(target, instrument, 1);
  if (place.instance === 0) return record.row(place);
  return record.row({ ...place, instance: instanceNumber(record, place, row.instance, instance) });
}

function instanceNumber(
  record: StoredRecord,
  { event, instrument }: Place,
  current: number,
  instance: Reference['instance'],
): number {
  switch (instance) {
    case undefined:
    case 'current':
      return Math.max(1, current);
    case 'first':
      return record.instances(event, instrument)[0] ?? 0;
    case 'last':
      return record.instances(event, instrument).at(-1) ?? 0;
    case 'previous':
      return current - 1;
    case 'next':
      return current + 1;
    default:
      return instance;
  }
}

function smartValue(project: SandboxProject, record: StoredRecord, row: StoredRow, name: string): string {
  switch (name) {
    case 'record-name':
      return record.id;
    case 'event-name':
      return row.event;
    case 'arm-number':
      return String(project.event(row.event)?.arm ?? 1);
    case 'current-instance':
      return row.instance === 0 ? '' : String(row.instance);
    case 'first-event-name':
      return eventsOfArm(project, row)[0]?.uniqueName ?? '';
    case 'last-event-name':
      return eventsOfArm(project, row).at(-1)?.uniqueName ?? '';
    default:
      return '';
  }
}

/** Returns the events of the row's arm, to which the first and last event belong. */
function eventsOfArm(project: SandboxProject, row: StoredRow): readonly StudyEvent[] {
  const arm = project.event(row.event)?.arm;
  return project.study.events.filter((event) => event.arm === arm);
}

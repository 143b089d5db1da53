import type { SandboxProject } from './project.js';
import type { Place, StoredRecord } from './records/stored-record.js';
import type { Study } from './study.js';

/**
 * Changes arms and events. The data of removed events is deleted. When a classic project becomes longitudinal, its rows
 * move to the first event. When a longitudinal project becomes classic, only the rows of the first event remain.
 */
export function replaceEvents(
  project: SandboxProject,
  change: Partial<Pick<Study, 'arms' | 'events' | 'mappings' | 'project'>>,
): void {
  const wasLongitudinal = project.isLongitudinal;
  const firstBefore = project.firstEvent;
  const events = new Set((change.events ?? project.study.events).map(({ uniqueName }) => uniqueName));
  const mappings = (change.mappings ?? project.study.mappings).filter(({ uniqueEventName }) =>
    events.has(uniqueEventName),
  );
  const repeating = project.study.repeating.filter(
    ({ uniqueEventName }) => uniqueEventName === '' || events.has(uniqueEventName),
  );
  project.redesign({ ...change, mappings, repeating });

  for (const record of project.records.inOrder()) {
    for (const row of [...record.rows]) {
      const event = eventAfter(project, row.event, { wasLongitudinal, firstBefore });
      if (event === undefined) record.removeRow(row);
      else if (event !== row.event) moveRow(record, row, event);
    }
    if (record.isEmpty) project.records.delete(record.id);
  }
}

/** Returns the event that a row belongs to after the change; undefined if the row is deleted. */
function eventAfter(
  project: SandboxProject,
  event: string,
  before: { readonly wasLongitudinal: boolean; readonly firstBefore: string },
): string | undefined {
  if (!before.wasLongitudinal) return project.firstEvent;
  if (!project.isLongitudinal) return event === before.firstBefore ? '' : undefined;
  return project.event(event) === undefined ? undefined : event;
}

function moveRow(record: StoredRecord, place: Place & { values: Map<string, string> }, event: string): void {
  record.removeRow(place);
  const row = record.rowAt({ event, instrument: place.instrument, instance: place.instance });
  for (const [name, value] of place.values) row.values.set(name, value);
}

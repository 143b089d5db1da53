import type { SandboxProject } from './project.js';
import { placeKey, placeOfKey } from './project-structure.js';
import type { StoredRecord, StoredRow } from './records/record-store.js';
import type { Study } from './study.js';

/**
 * Changes arms and events. The data of removed events is deleted, with its files; that of a renamed event moves along.
 * When a classic project becomes longitudinal, its rows and its repeating instruments move to the first event. When a
 * longitudinal project becomes classic, only the rows of the first remaining event stay.
 *
 * @param renamed the new unique names of renamed events, by the previous one
 */
export function replaceEvents(
  project: SandboxProject,
  change: Partial<Pick<Study, 'arms' | 'events' | 'mappings' | 'project'>>,
  renamed: ReadonlyMap<string, string> = new Map(),
): void {
  const wasLongitudinal = project.isLongitudinal;
  const firstBefore = project.firstEvent;
  const events = new Set((change.events ?? project.study.events).map(({ uniqueName }) => uniqueName));
  const taken = new Set(renamed.values());
  const nameAfter = (event: string): string | undefined =>
    renamed.get(event) ?? (taken.has(event) ? undefined : event);
  const inEvents = <Entry extends { readonly event: string }>(entries: readonly Entry[]): Entry[] =>
    entries.flatMap((entry) => {
      const event = nameAfter(entry.event);
      const isKept = event !== undefined && (event === '' || events.has(event));
      return isKept ? [{ ...entry, event }] : [];
    });
  project.redesign({
    ...change,
    mappings: inEvents(change.mappings ?? project.study.mappings),
    repeating: inEvents(project.study.repeating),
  });
  if (!wasLongitudinal && project.isLongitudinal) nameRepeatingEvents(project);

  const firstAfter = project.study.events[0]?.uniqueName ?? firstBefore;
  /** Returns the event of a row after the change; undefined if the row is deleted. */
  const eventAfter = (event: string): string | undefined => {
    if (!wasLongitudinal) return project.firstEvent;
    if (!project.isLongitudinal) return nameAfter(event) === firstAfter ? '' : undefined;
    return project.event(nameAfter(event) ?? '')?.uniqueName;
  };
  for (const record of project.records.inOrder()) {
    moveRows(record, eventAfter);
    moveRequests(record, eventAfter);
    if (record.isEmpty) project.records.delete(record.id);
  }
  project.documents.relocate((place) => {
    const event = eventAfter(place.event);
    return event === undefined ? undefined : { ...place, event };
  });
}

/** Assigns the repeating instruments of a project that was classic to its first event. */
function nameRepeatingEvents(project: SandboxProject): void {
  project.redesign({
    repeating: project.study.repeating.map((entry) => ({
      ...entry,
      event: entry.event || project.firstEvent,
    })),
  });
}

/** Removes all rows that move before adding any: one event may take the name that another gives up. */
function moveRows(record: StoredRecord, eventAfter: (event: string) => string | undefined): void {
  const moved: StoredRow[] = [];
  for (const row of [...record.rows]) {
    const event = eventAfter(row.event);
    if (event === row.event) continue;
    record.removeRow(row);
    if (event !== undefined) moved.push({ ...row, event });
  }
  for (const { values, ...place } of moved) {
    const row = record.rowAt(place);
    for (const [name, value] of values) row.values.set(name, value);
  }
}

/** Moves the requests for survey links and codes. Those of removed events are dropped. */
function moveRequests(record: StoredRecord, eventAfter: (event: string) => string | undefined): void {
  const before = [...record.requestedSurveys];
  record.requestedSurveys.clear();
  for (const key of before) {
    const { event, instrument } = placeOfKey(key);
    const moved = eventAfter(event);
    if (moved !== undefined) record.requestedSurveys.add(placeKey(moved, instrument));
  }
}

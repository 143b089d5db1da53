import type { ContentCall } from '../content.js';
import {
  anyNumber,
  dataRows,
  requiredText,
  wholeNumber,
  type DataRow,
  givenNames,
  inArms,
  refuseClassic,
} from '../call-rules.js';
import { replaceEvents } from '../replace-events.js';
import { HAS_NONE } from '../../../wire/lists.js';
import type { StudyEvent } from '../study.js';
import { uniqueEventName } from '../unique-names.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure } from '../../../wire/api-failure.js';

// @see docs/protocol/redcap.md 9.2 (client), 2.1 (client), 20 (client)

/** Offsets are exported if scheduling is enabled. */
export function exportEvents({ project, parameters }: ContentCall): Answer {
  refuseClassic(project, HAS_NONE.event);
  const isScheduled = Number(project.study.project.settings?.scheduling_enabled ?? 0) === 1;
  return tableAnswer<StudyEvent>(project.study.events.filter(inArms(parameters, ({ arm }) => arm)), {
    event_name: ({ label }) => label,
    arm_num: ({ arm }) => arm,
    ...(isScheduled && {
      day_offset: ({ dayOffset = 0 }) => dayOffset,
      offset_min: ({ offsetMin = 0 }) => offsetMin,
      offset_max: ({ offsetMax = 0 }) => offsetMax,
    }),
    unique_event_name: ({ uniqueName }) => uniqueName,
    custom_event_label: ({ customLabel = '' }) => customLabel,
    event_id: ({ id = 0 }) => id,
  });
}

/**
 * Imports events. `override=1` replaces all events; otherwise new ones are added, and those named in the data changed.
 * (client)
 */
export function importEvents(call: ContentCall): Answer {
  const { project, parameters } = call;
  const rows = dataRows(call);
  const arms = project.study.arms.length === 0 ? [{ number: 1, name: 'Arm 1' }] : project.study.arms;
  const stored = project.study.events.map((entry): ImportedEvent => ({ before: entry.uniqueName, entry }));
  const events = parameters.flag('override') ? [] : [...stored];
  for (const row of rows) {
    const arm = row('arm_num') === '' ? 1 : wholeNumber(row, 'arm_num');
    if (!arms.some(({ number }) => number === arm)) {
      throw new ApiFailure(400, `The arm number ${arm} does not exist in the project`);
    }
    const isSent = ({ entry }: ImportedEvent): boolean => entry.uniqueName === row('unique_event_name');
    const index = events.findIndex(isSent);
    // An event that another row has renamed no longer has the name that is sent here.
    const isRenamed = ({ before }: ImportedEvent): boolean => events.some((other) => other.before === before);
    const known = events[index] ?? stored.find((entry) => isSent(entry) && !isRenamed(entry));
    const next = toEvent(row, arm, known?.entry);
    // The unique name is derived from the label. (doc)
    const taken = events.filter((other) => other !== known).map(({ entry }) => entry.uniqueName);
    const uniqueName = uniqueEventName(next.label, arm, new Set(taken));
    const imported = { before: known?.before, entry: { ...next, uniqueName } };
    if (index === -1) events.push(imported);
    else events[index] = imported;
  }
  const renamed = events.flatMap(({ before, entry }): [string, string][] =>
    before === undefined ? [] : [[before, entry.uniqueName]],
  );
  const order = events.map(({ entry }) => entry).sort((left, right) => left.arm - right.arm);
  replaceEvents(project, { arms, events: order }, new Map(renamed));
  return integerAnswer(rows.length, call);
}

/** An event after an import. */
interface ImportedEvent {
  /** The unique name before the import; undefined if the event is new. */
  readonly before: string | undefined;
  readonly entry: StudyEvent;
}

function toEvent(row: DataRow, arm: number, known: StudyEvent | undefined): Omit<StudyEvent, 'uniqueName'> {
  const offset = (name: string, before: number | undefined): number | undefined =>
    row(name) === '' ? before : anyNumber(row, name);
  return {
    id: known?.id,
    label: requiredText(row, 'event_name'),
    arm,
    // A blank cell erases. @see docs/protocol/redcap.md 20 (inferred)
    customLabel: row.has('custom_event_label') ? row('custom_event_label') : known?.customLabel,
    dayOffset: offset('day_offset', known?.dayOffset),
    offsetMin: offset('offset_min', known?.offsetMin),
    offsetMax: offset('offset_max', known?.offsetMax),
  };
}

/** A classic project has no event to name, and none is deleted. @see docs/protocol/redcap.md 20 (client) */
export function deleteEvents(call: ContentCall): Answer {
  const { project, parameters } = call;
  if (!project.isLongitudinal && (parameters.list('events') ?? []).length === 0)
    return integerAnswer(0, call);
  const names = givenNames(parameters, 'events', (name) => project.event(name) !== undefined);
  replaceEvents(project, { events: project.study.events.filter(({ uniqueName }) => !names.has(uniqueName)) });
  return integerAnswer(names.size, call);
}

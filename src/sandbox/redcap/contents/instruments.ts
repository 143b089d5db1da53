import type { ContentCall } from '../content.js';
import { dataRows, requiredText, inArms, refuseClassic } from '../call-rules.js';
import { CSV_STYLES, HAS_NONE } from '../../../wire/lists.js';
import { placeKey } from '../project-structure.js';
import type { StudyInstrument, StudyMapping, StudyRepeating } from '../study.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure } from '../../../wire/api-failure.js';

/** Labels are always quoted in CSV. @see docs/protocol/redcap.md 8.7 (wire) */
export function exportInstruments({ project }: ContentCall): Answer {
  return tableAnswer<StudyInstrument>(
    project.study.instruments,
    { instrument_name: ({ name }) => name, instrument_label: ({ label }) => label },
    CSV_STYLES.instrument,
  );
}

/** @see docs/protocol/redcap.md 9.3 (wire), 2.1 (client), 20 (client): the header is sent even if there are no rows */
export function exportMappings({ project, parameters }: ContentCall): Answer {
  refuseClassic(project, HAS_NONE.formEventMapping);
  const armOf = ({ event }: StudyMapping): number => project.event(event)?.arm ?? 1;
  return tableAnswer<StudyMapping>(
    project.study.mappings.filter(inArms(parameters, armOf)),
    {
      arm_num: armOf,
      unique_event_name: ({ event }) => event,
      form: ({ instrument }) => instrument,
    },
    CSV_STYLES.formEventMapping,
  );
}

/** Replaces all existing mappings. One that is sent twice counts twice, and is stored once. (choice) */
export function importMappings(call: ContentCall): Answer {
  const { project } = call;
  refuseClassic(project, 'You cannot import form/event mappings for classic projects');
  const mappings = dataRows(call).map((row) => ({
    event: requiredText(row, 'unique_event_name'),
    instrument: requiredText(row, 'form'),
  }));
  for (const { event, instrument } of mappings) {
    if (project.event(event) === undefined) {
      throw new ApiFailure(400, `The following values of unique_event_name are invalid: ${event}`);
    }
    if (project.instrument(instrument) === undefined) {
      throw new ApiFailure(400, `The following values of form are invalid: ${instrument}`);
    }
  }
  const order = distinct(mappings).sort(
    (left, right) =>
      project.eventOrder(left.event) - project.eventOrder(right.event) ||
      project.instrumentOrder(left.instrument) - project.instrumentOrder(right.instrument),
  );
  project.redesign({ mappings: order });
  return integerAnswer(mappings.length, call);
}

/** @see docs/protocol/redcap.md 9.4 (client), 2.1 (client) */
export function exportRepeating({ project }: ContentCall): Answer {
  if (!project.hasRepeats) {
    throw new ApiFailure(400, HAS_NONE.repeatingFormsEvents);
  }
  return tableAnswer<StudyRepeating>(
    project.repeating,
    {
      ...(project.isLongitudinal && { event_name: ({ event }) => event }),
      form_name: ({ instrument }) => instrument,
      custom_form_label: ({ customLabel }) => customLabel,
    },
    CSV_STYLES.repeatingFormsEvents,
  );
}

/**
 * Replaces the existing list. A blank form name means that the whole event repeats. Of two entries for the same
 * instrument and event, both count and the later one is stored. (choice) An event is checked before its form, in a
 * classic project too.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
export function importRepeating(call: ContentCall): Answer {
  const { project } = call;
  const repeating = dataRows(call).map((row) => ({
    event: row('event_name'),
    instrument: row('form_name'),
    customLabel: row('custom_form_label'),
  }));
  for (const { event, instrument } of repeating) {
    const isEvent = project.isLongitudinal ? project.event(event) !== undefined : event === '';
    if (!isEvent) {
      throw new ApiFailure(400, `event '${event}' is not available in project`);
    }
    const isForm = project.instrument(instrument) !== undefined;
    if (!isForm && (instrument !== '' || !project.isLongitudinal)) {
      throw new ApiFailure(400, `form '${instrument}' is not available in project`);
    }
  }
  project.redesign({ repeating: distinct(repeating) });
  return integerAnswer(repeating.length, call);
}

/** Returns the entries for different places; of two for one place the later one. */
function distinct<Entry extends StudyMapping>(entries: readonly Entry[]): Entry[] {
  const byPlace = entries.map((entry) => [placeKey(entry.event, entry.instrument), entry] as const);
  return [...new Map(byPlace).values()];
}

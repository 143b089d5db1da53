import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows } from '../data-rows.js';
import { placeKey } from '../project-structure.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';

/** @see docs/protocol/redcap.md 9.4 (client), 2.1 (client) */
export const repeatingFormsEvents: Content = {
  name: 'repeatingFormsEvents',
  actions: {
    export: reads('Export repeating instruments and events', exportRepeating),
    import: writes('Import repeating instruments and events', importRepeating, 'design'),
  },
};

function exportRepeating({ project }: ContentCall): Answer {
  if (!project.hasRepeats) {
    throw new ApiFailure(
      400,
      'You cannot export repeating instruments and events because the project does not contain any repeating instruments and events',
    );
  }
  const rows = project.repeating.map(({ uniqueEventName, instrument, customLabel }) => ({
    ...(project.isLongitudinal && { event_name: uniqueEventName }),
    form_name: instrument,
    custom_form_label: customLabel,
  }));
  const columns = [...(project.isLongitudinal ? ['event_name'] : []), 'form_name', 'custom_form_label'];
  return listAnswer(rows, columns, { hasBareBlanks: true });
}

/**
 * Replaces the existing list. A blank form name means that the whole event repeats. Of two entries for the same
 * instrument and event, both count and the later one is stored. (choice) An event is checked before its form, in a
 * classic project too.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
function importRepeating(call: ContentCall): Answer {
  const { project } = call;
  const repeating = dataRows(call).map((row) => ({
    uniqueEventName: row('event_name'),
    instrument: row('form_name'),
    customLabel: row('custom_form_label'),
  }));
  for (const { uniqueEventName, instrument } of repeating) {
    const isEvent = project.isLongitudinal
      ? project.event(uniqueEventName) !== undefined
      : uniqueEventName === '';
    if (!isEvent) {
      throw new ApiFailure(400, `event '${uniqueEventName}' is not available in project`);
    }
    const isForm = project.instrument(instrument) !== undefined;
    if (!isForm && (instrument !== '' || !project.isLongitudinal)) {
      throw new ApiFailure(400, `form '${instrument}' is not available in project`);
    }
  }
  const distinct = new Map(
    repeating.map((entry) => [placeKey(entry.uniqueEventName, entry.instrument), entry]),
  );
  project.redesign({ repeating: [...distinct.values()] });
  return integerAnswer(repeating.length, call);
}

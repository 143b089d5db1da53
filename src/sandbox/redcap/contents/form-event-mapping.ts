import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows, requiredText } from '../data-rows.js';
import { placeKey } from '../project-structure.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { inArms, refuseClassic } from './call-rules.js';

/** @see docs/protocol/redcap.md 9.3 (wire), 2.1 (client), 20 (client): the header is sent even if there are no rows */
export const formEventMapping: Content = {
  name: 'formEventMapping',
  actions: {
    export: reads('Export instrument-event mappings', exportMappings),
    import: writes('Import instrument-event mappings', importMappings, 'design'),
  },
};

function exportMappings({ project, parameters }: ContentCall): Answer {
  refuseClassic(project, 'You cannot export form/event mappings for classic projects');
  const rows = project.study.mappings
    .map(({ uniqueEventName, instrument }) => ({
      arm_num: project.event(uniqueEventName)?.armNumber ?? 1,
      unique_event_name: uniqueEventName,
      form: instrument,
    }))
    .filter(inArms(parameters, ({ arm_num }) => arm_num));
  const columns = ['arm_num', 'unique_event_name', 'form'];
  return listAnswer(rows, columns, { hasTrailingLineFeed: false });
}

/** Replaces all existing mappings. One that is sent twice counts twice, and is stored once. (choice) */
function importMappings(call: ContentCall): Answer {
  const { project } = call;
  refuseClassic(project, 'You cannot import form/event mappings for classic projects');
  const mappings = dataRows(call).map((row) => ({
    uniqueEventName: requiredText(row, 'unique_event_name'),
    instrument: requiredText(row, 'form'),
  }));
  for (const { uniqueEventName, instrument } of mappings) {
    if (project.event(uniqueEventName) === undefined) {
      throw new ApiFailure(400, `The following values of unique_event_name are invalid: ${uniqueEventName}`);
    }
    if (project.instrument(instrument) === undefined) {
      throw new ApiFailure(400, `The following values of form are invalid: ${instrument}`);
    }
  }
  const distinct = new Map(
    mappings.map((entry) => [placeKey(entry.uniqueEventName, entry.instrument), entry]),
  );
  const order = [...distinct.values()].toSorted(
    (left, right) =>
      project.eventOrder(left.uniqueEventName) - project.eventOrder(right.uniqueEventName) ||
      project.instrumentOrder(left.instrument) - project.instrumentOrder(right.instrument),
  );
  project.redesign({ mappings: order });
  return integerAnswer(mappings.length, call);
}

import type { SandboxProject } from '../project.js';
import type { ValueStyle } from './export-values.js';
import type { Place } from './record-store.js';

/** A place in a record, with the values that the record's rows share. */
type StructuralPlace = Place & { readonly group?: string; readonly surveyIdentifier?: string };

/**
 * Returns the cell of a structural column, such as event or repeat instance.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export function structuralCell(
  project: SandboxProject,
  name: string,
  { event, instrument, instance, group = '', surveyIdentifier = '' }: StructuralPlace,
  { isLabel }: ValueStyle,
): string | number {
  switch (name) {
    case 'redcap_event_name':
      return isLabel ? eventLabel(project, event) : event;
    case 'redcap_repeat_instrument':
      return isLabel ? (project.instrument(instrument)?.label ?? '') : instrument;
    case 'redcap_repeat_instance':
      return instance === 0 ? '' : instance;
    case 'redcap_data_access_group':
      return isLabel ? (project.group(group)?.name ?? '') : group;
    case 'redcap_survey_identifier':
      return surveyIdentifier;
    default:
      return '';
  }
}

/**
 * Returns the label of an event. If several arms have events, it includes the arm: `Enrollment (Arm 1: Drug A)`.
 * (client)
 */
export function eventLabel(project: SandboxProject, uniqueName: string): string {
  const event = project.event(uniqueName);
  const { arms, events } = project.study;
  const isOnly = arms.length < 2 || events.every(({ armNumber }) => armNumber === event?.armNumber);
  if (event === undefined || isOnly) return event?.label ?? uniqueName;
  const arm = arms.find(({ number }) => number === event.armNumber);
  return `${event.label} (Arm ${event.armNumber}: ${arm?.name ?? ''})`;
}

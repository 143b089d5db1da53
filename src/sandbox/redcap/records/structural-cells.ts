import type { SandboxProject } from '../project.js';
import type { ValueStyle } from './export-values.js';
import type { Place } from './stored-record.js';

/** A place, and what stands on every row of its record. */
export type StructuralPlace = Place & { readonly group?: string; readonly surveyIdentifier?: string };

/** A cell of a structural column: event, repeating instrument, repeat instance. @see docs/protocol/redcap.md 4.4 (client) */
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

/** With several arms that have events the label names the arm: `Enrollment (Arm 1: Drug A)`. (client) */
export function eventLabel(project: SandboxProject, uniqueName: string): string {
  const event = project.event(uniqueName);
  const { arms, events } = project.study;
  const isOnly = arms.length < 2 || events.every(({ armNumber }) => armNumber === event?.armNumber);
  if (event === undefined || isOnly) return event?.label ?? uniqueName;
  const arm = arms.find(({ number }) => number === event.armNumber);
  return `${event.label} (Arm ${event.armNumber}: ${arm?.name ?? ''})`;
}

import type { VisitState } from '../../services/summary/due-visits.js';
import { FORM_STATUSES } from '../../services/summary/form-counts.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './cut.js';

const LABELS = {
  complete: { label: 'Complete', className: 'complete' },
  unverified: { label: 'Unverified', className: 'unverified' },
  incomplete: { label: 'Incomplete', className: 'incomplete' },
  notBegun: { label: 'Not begun', className: 'not-begun' },
} satisfies Record<(typeof FORM_STATUSES)[number], { readonly label: string; readonly className: string }>;

/** The statuses of a form, each with the class that gives its colour. */
export const STATUSES = FORM_STATUSES.map((key) => ({ key, ...LABELS[key] }));

/** The states of a visit in words. */
export const VISIT_LABELS: Readonly<Record<VisitState, string>> = {
  overdue: 'Overdue',
  thisWeek: 'This week',
  coming: 'Later',
};

/**
 * Returns the label of an event, such as `Week 4`, or `Week 4, arm 2` in a study with several arms, where events may
 * share a label; empty without events. A label that is too long is shortened, but always includes the arm.
 *
 * @param hasArms whether the study has several arms
 */
export function eventOf(
  { event, eventLabel }: CompletenessCell,
  hasArms: boolean,
  mostLetters = Infinity,
): string {
  const arm = hasArms && eventLabel !== '' ? `, arm ${armOf(event)}` : '';
  return cut(eventLabel, mostLetters - arm.length) + arm;
}

/** Returns whether the events of the cells belong to more than one arm. */
export function hasSeveralArms(cells: readonly CompletenessCell[]): boolean {
  return new Set(cells.map(({ event }) => armOf(event))).size > 1;
}

/**
 * Returns the arm at the end of a unique event name such as `week_4_arm_2`, which ends in a letter if it would not be
 * unique.
 */
export function armOf(event: string): string {
  return /_arm_(\d+)[a-z]?$/.exec(event)?.[1] ?? '';
}

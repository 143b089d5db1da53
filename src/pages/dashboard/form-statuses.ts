import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './axes.js';

/** The statuses of a form, each with the class that gives its colour. */
export const STATUSES = [
  { key: 'complete', label: 'Complete', className: 'complete' },
  { key: 'unverified', label: 'Unverified', className: 'unverified' },
  { key: 'incomplete', label: 'Incomplete', className: 'incomplete' },
  { key: 'notBegun', label: 'Not begun', className: 'not-begun' },
] as const;

/**
 * Returns the label of an event, such as `Week 4`, or `Week 4, arm 2` in a study with several arms, where events may
 * share a label; empty without events. A label that is too long is shortened, but always includes the arm.
 */
export function eventOf(
  { event, eventLabel }: CompletenessCell,
  cells: readonly CompletenessCell[],
  mostLetters = Infinity,
): string {
  const hasArms = new Set(cells.map((cell) => armOf(cell.event))).size > 1;
  const arm = hasArms && eventLabel !== '' ? `, arm ${armOf(event)}` : '';
  return cut(eventLabel, mostLetters - arm.length) + arm;
}

/**
 * Returns the arm at the end of a unique event name such as `week_4_arm_2`, which ends in a letter if it would not be
 * unique.
 */
function armOf(event: string): string {
  return /_arm_(\d+)[a-z]?$/.exec(event)?.[1] ?? '';
}

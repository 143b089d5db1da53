import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './axes.js';

/** What a form can be, and the class that gives its colour. */
export const STATUSES = [
  { key: 'complete', label: 'Complete', className: 'complete' },
  { key: 'unverified', label: 'Unverified', className: 'unverified' },
  { key: 'incomplete', label: 'Incomplete', className: 'incomplete' },
  { key: 'notBegun', label: 'Not begun', className: 'not-begun' },
] as const;

/** @returns how many forms a cell counts, those that are left out apart */
export function formsOf(cell: CompletenessCell): number {
  return STATUSES.reduce((sum, { key }) => sum + (cell[key] ?? 0), 0);
}

/**
 * @returns `Week 4`, or `Week 4, arm 2` in a study of several arms, whose events may share a label; empty without events. Of
 * a label that is too long the beginning is shown, and always the arm
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

/** A unique event name ends in its arm: `week_4_arm_2`, and in a letter where it would be there twice. */
function armOf(event: string): string {
  return /_arm_(\d+)[a-z]?$/.exec(event)?.[1] ?? '';
}

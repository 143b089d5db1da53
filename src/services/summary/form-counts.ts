import type { CompletenessCell } from './study-summary.js';

/** The statuses of a form that are counted. */
export const FORM_STATUSES = ['complete', 'unverified', 'incomplete', 'notBegun'] as const;

/**
 * @returns how many forms a cell counts: those that were begun and, if the form is expected, those that were not. Undefined
 * if counts are left out and nothing else gives the total: a share of the remaining counts would be too high
 */
export function formsOf(cell: CompletenessCell): number | undefined {
  const counts = FORM_STATUSES.filter((status) => cell.isExpected || status !== 'notBegun').map(
    (status) => cell[status],
  );
  if (counts.every((count) => count !== null)) return counts.reduce((sum, count) => sum + count, 0);
  return !cell.isExpected || cell.records === null ? undefined : cell.records;
}

/** @returns whether the share of complete forms is known: neither figure is left out */
export function isShareKnown(cell: CompletenessCell): boolean {
  return cell.complete !== null && formsOf(cell) !== undefined;
}

/** @returns how many forms are complete, over the cells of which both figures are known */
export function completeOf(cells: readonly CompletenessCell[]): { complete: number; forms: number } {
  const known = cells.filter(isShareKnown);
  return {
    complete: known.reduce((sum, cell) => sum + (cell.complete ?? 0), 0),
    forms: known.reduce((sum, cell) => sum + (formsOf(cell) ?? 0), 0),
  };
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

import { armOf, FORM_STATUSES } from '../../services/summary/form-counts.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './cut.js';
import type { Texts } from '../texts/en.js';

/** The statuses of a form, each with the class that gives its colour. */
export const STATUSES = FORM_STATUSES.map((key) => ({
  key,
  className: key === 'notBegun' ? 'not-begun' : key,
}));

/**
 * Returns the label of an event, such as `Week 4`, or `Week 4, arm 2` in a study with several arms, where events may
 * share a label; empty without events. A label that is too long is shortened, but always includes the arm.
 *
 * @param hasArms whether the study has several arms
 */
export function eventOf(
  t: Texts,
  { event, eventLabel }: CompletenessCell,
  hasArms: boolean,
  mostLetters = Infinity,
): string {
  const arm = hasArms && eventLabel !== '' ? t.study.inArm(armOf(event)) : '';
  return cut(eventLabel, mostLetters - arm.length) + arm;
}

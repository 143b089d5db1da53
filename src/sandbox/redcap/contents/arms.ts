import type { ContentCall } from '../content.js';
import { dataRows, requiredText, wholeNumber, givenNames, inArms, refuseClassic } from '../call-rules.js';
import { replaceEvents } from '../replace-events.js';
import { CSV_STYLES, HAS_NONE } from '../../../wire/lists.js';
import type { StudyArm } from '../study.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';

// @see docs/protocol/redcap.md 9.1 (client), 2.1 (client)

/** Arms without events are not listed. (client) */
export function exportArms({ project, parameters }: ContentCall): Answer {
  refuseClassic(project, HAS_NONE.arm);
  const arms = project.study.arms
    .filter(({ number }) => project.study.events.some(({ arm }) => arm === number))
    .filter(inArms(parameters, ({ number }) => number));
  const columns = { arm_num: ({ number }: StudyArm) => number, name: ({ name }: StudyArm) => name };
  return tableAnswer(arms, columns, CSV_STYLES.arm);
}

/** Imports arms. `override=1` replaces all arms; otherwise new ones are added, and existing ones renamed. (client) */
export function importArms(call: ContentCall): Answer {
  const { project, parameters } = call;
  const sent = dataRows(call).map((row) => ({
    number: wholeNumber(row, 'arm_num'),
    name: requiredText(row, 'name'),
  }));
  const kept = parameters.flag('override') ? [] : project.study.arms;
  const arms = new Map<number, StudyArm>([...kept, ...sent].map((entry) => [entry.number, entry]));
  const numbers = [...arms.keys()].sort((left, right) => left - right);
  replaceEvents(project, {
    arms: numbers.flatMap((number) => arms.get(number) ?? []),
    events: project.study.events.filter(({ arm }) => arms.has(arm)),
  });
  return integerAnswer(sent.length, call);
}

/**
 * Deletes arms with their events and data. A classic project has no arm to name, and none is deleted.
 *
 * @see docs/protocol/redcap.md 9.1 (doc), 20 (inferred)
 */
export function deleteArms(call: ContentCall): Answer {
  const { project, parameters } = call;
  if (!project.isLongitudinal && (parameters.list('arms') ?? []).length === 0) return integerAnswer(0, call);
  const isKnown = (number: string): boolean =>
    project.study.arms.some((entry) => String(entry.number) === number);
  const numbers = givenNames(parameters, 'arms', isKnown);
  replaceEvents(project, {
    arms: project.study.arms.filter(({ number }) => !numbers.has(String(number))),
    events: project.study.events.filter(({ arm }) => !numbers.has(String(arm))),
  });
  return integerAnswer(numbers.size, call);
}

import { writes, type Content, type ContentCall } from '../content.js';
import { sentRows } from '../data-rows.js';
import { editableSettings, isSwitch, settingNumber } from '../project-row.js';
import { replaceEvents } from '../replace-events.js';
import type { StudyProject } from '../study.js';
import { type Answer, integerAnswer } from '../wire/answer.js';

/** @see docs/protocol/redcap.md 9.6 (client): the answer is the number of values that were accepted */
export const projectSettings: Content = {
  name: 'project_settings',
  actions: {
    // Without data it was seen to answer nothing at all. (client)
    export: { rights: [], run: () => ({ kind: 'text', text: '' }) },
    import: writes('Import project information', importSettings, 'design'),
  },
};

/** Every value is counted. A blank one leaves a number unchanged. @see docs/protocol/redcap.md 20 (client, choice) */
function importSettings(call: ContentCall): Answer {
  const { project } = call;
  const [row] = sentRows(call);
  if (row === undefined) return integerAnswer(0, call);
  const given = editableSettings(call.version).filter((name) => row.has(name));
  const values = new Map(given.map((name) => [name, (row.get(name) ?? '').trim()]));
  replaceEvents(project, { project: changed(project.study.project, values) });
  return integerAnswer(given.length, call);
}

function changed(about: StudyProject, values: ReadonlyMap<string, string>): StudyProject {
  const text = (name: string, before: string): string => values.get(name) ?? before;
  const number = (name: string, before: number): number => {
    const sent = values.get(name) ?? '';
    return sent === '' ? before : settingNumber(name, sent);
  };
  const named = new Set([
    'project_title',
    'project_notes',
    'purpose',
    'surveys_enabled',
    'project_pi_firstname',
    'project_pi_lastname',
  ]);
  const others = [...values]
    .filter(([name, value]) => !named.has(name) && !(isSwitch(name) && value === ''))
    .map(([name, value]) => [name, isSwitch(name) ? settingNumber(name, value) : value] as const);
  return {
    ...about,
    title: text('project_title', about.title),
    notes: text('project_notes', about.notes),
    purpose: number('purpose', about.purpose),
    surveysEnabled: number('surveys_enabled', Number(about.surveysEnabled)) === 1,
    piFirstName: text('project_pi_firstname', about.piFirstName),
    piLastName: text('project_pi_lastname', about.piLastName),
    settings: { ...about.settings, ...Object.fromEntries(others) },
  };
}

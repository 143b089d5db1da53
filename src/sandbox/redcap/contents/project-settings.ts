import type { Content } from '../content.js';
import type { ContentCall } from '../content-call.js';
import { dataRows, type DataRow } from '../data-rows.js';
import { editableSettings } from '../project-row.js';
import { replaceEvents } from '../replace-events.js';
import type { StudyProject } from '../study.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';

/** @see docs/protocol/redcap.md 9.6 (client): the answer is the number of values that were accepted */
export const projectSettings: Content = {
  name: 'project_settings',
  actions: {
    import: {
      rights: ['api_import', 'design'],
      log: 'Import project information (API)',
      run: importSettings,
    },
  },
};

function importSettings(call: ContentCall): Answer {
  const { project } = call;
  const [row] = dataRows(call);
  if (row === undefined) return integerAnswer(0, call);
  const given = editableSettings(call.version).filter((name) => row(name) !== '');
  for (const name of given) if (NUMBERS.has(name)) requireNumber(row, name);
  replaceEvents(project, { project: changed(project.study.project, given, row) });
  return integerAnswer(given.length, call);
}

/** The on/off settings and the purpose. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...['purpose', 'is_longitudinal', 'surveys_enabled', 'scheduling_enabled', 'record_autonumbering_enabled'],
  ...['randomization_enabled', 'display_today_now_button', 'bypass_branching_erase_field_prompt'],
]);

function requireNumber(row: DataRow, name: string): void {
  const limit = name === 'purpose' ? /^[0-4]$/ : /^[01]$/;
  if (!limit.test(row(name))) throw new ApiFailure(400, `The value of the setting "${name}" is not valid.`);
}

function changed(about: StudyProject, given: readonly string[], row: DataRow): StudyProject {
  const text = (name: string, before: string): string => (given.includes(name) ? row(name) : before);
  const named = new Set([
    ...['project_title', 'project_notes', 'purpose', 'surveys_enabled'],
    ...['project_pi_firstname', 'project_pi_lastname'],
  ]);
  const others = given
    .filter((name) => !named.has(name))
    .map((name) => [name, NUMBERS.has(name) ? Number(row(name)) : row(name)] as const);
  return {
    ...about,
    title: text('project_title', about.title),
    notes: text('project_notes', about.notes),
    purpose: Number(text('purpose', String(about.purpose))),
    surveysEnabled: text('surveys_enabled', about.surveysEnabled ? '1' : '0') === '1',
    piFirstName: text('project_pi_firstname', about.piFirstName),
    piLastName: text('project_pi_lastname', about.piLastName),
    settings: { ...about.settings, ...Object.fromEntries(others) },
  };
}

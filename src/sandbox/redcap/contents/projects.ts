import type { ContentCall } from '../content.js';
import { sentRows } from '../call-rules.js';
import { storedRowsOf, writeProjectXml } from '../odm/write-project-xml.js';
import { editableSettings, isSwitch, settingNumber } from '../project-row.js';
import { replaceEvents } from '../replace-events.js';
import type { StudyProject } from '../study.js';
import { type Answer, integerAnswer } from '../../../wire/answer.js';

/**
 * The design of a project as one XML document, with its records unless only the design is requested.
 *
 * @see docs/protocol/redcap.md 9.8 (doc, client)
 */
export function exportProjectXml(call: ContentCall): Answer {
  const { project, parameters, version } = call;
  const rows = parameters.flag('returnMetadataOnly')
    ? undefined
    : storedRowsOf(call, { hasFiles: parameters.flag('exportFiles') });
  return { kind: 'written', body: writeProjectXml(project, version, rows), format: 'xml' };
}

/**
 * Changes the settings of a project. Every value is counted. A blank one leaves a number unchanged.
 *
 * @see docs/protocol/redcap.md 9.6 (client), 20 (client, choice): the answer is the number of values that were accepted
 */
export function importSettings(call: ContentCall): Answer {
  const { project } = call;
  const [row] = sentRows(call);
  if (row === undefined) return integerAnswer(0, call);
  const given = editableSettings(call.version).filter((name) => row.has(name));
  const values = new Map(given.map((name) => [name, (row.get(name) ?? '').trim()]));
  replaceEvents(project, { project: changed(project.study.project, values) });
  return integerAnswer(given.length, call);
}

function changed(about: StudyProject, values: ReadonlyMap<string, string>): StudyProject {
  const others = new Map(values);
  const text = (name: string, before: string): string => {
    others.delete(name);
    return values.get(name) ?? before;
  };
  const number = (name: string, before: number): number => {
    const sent = text(name, '');
    return sent === '' ? before : settingNumber(name, sent);
  };
  return {
    ...about,
    title: text('project_title', about.title),
    notes: text('project_notes', about.notes),
    purpose: number('purpose', about.purpose),
    surveysEnabled: number('surveys_enabled', Number(about.surveysEnabled)) === 1,
    piFirstName: text('project_pi_firstname', about.piFirstName),
    piLastName: text('project_pi_lastname', about.piLastName),
    settings: {
      ...about.settings,
      ...Object.fromEntries(
        [...others]
          .filter(([name, value]) => !isSwitch(name) || value !== '')
          .map(([name, value]) => [name, isSwitch(name) ? settingNumber(name, value) : value]),
      ),
    },
  };
}

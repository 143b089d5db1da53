import type { SandboxProject } from '../project.js';
import { formRightsOf } from '../rights-rows.js';
import { roleAttributes, SETTING_ELEMENTS } from './odm-words.js';
import { xmlAttributes, xmlText } from './xml.js';

/**
 * Writes the lines of `GlobalVariables`: settings, repeats, groups, roles, surveys and reports.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function writeGlobalVariables(project: SandboxProject): string[] {
  const { title } = project.study.project;
  const about = `This file contains the metadata, events, and data for REDCap project "${title}".`;
  return [
    `\t<StudyName>${xmlText(title)}</StudyName>`,
    `\t<StudyDescription>${xmlText(about)}</StudyDescription>`,
    `\t<ProtocolName>${xmlText(title)}</ProtocolName>`,
    ...settingLines(project),
    ...repeatingLines(project),
    ...listLines(
      'DataAccessGroups',
      project.groups.map(({ name }) => ({ group_name: name })),
    ),
    ...listLines(
      'UserRoles',
      project.roles.map((role) => roleAttributes(role, formRightsOf(project, role))),
    ),
    ...listLines('Surveys', surveyAttributes(project)),
    ...listLines('Reports', reportAttributes(project)),
  ];
}

/** Writes the settings that the sandbox knows, then the others that were read from a file. */
function settingLines({ study: { project } }: SandboxProject): string[] {
  const known = SETTING_ELEMENTS.map(({ element, read }) => [element, read(project)] as const);
  const names = new Set(known.map(([element]) => element));
  const others = Object.entries(project.others ?? {}).filter(([element]) => !names.has(element));
  return [...known, ...others].map(
    ([element, value]) => `\t<redcap:${element}>${xmlText(value)}</redcap:${element}>`,
  );
}

/** Writes the repeating instruments and events. The only event of a classic project gets the default name. */
function repeatingLines(project: SandboxProject): string[] {
  if (!project.hasRepeats) return [];
  const event = (uniqueName: string): string => uniqueName || 'event_1_arm_1';
  const instruments = project.repeating.filter(({ instrument }) => instrument !== '');
  return [
    '\t<redcap:RepeatingInstrumentsAndEvents>',
    ...project.repeating
      .filter(({ instrument }) => instrument === '')
      .map(
        ({ uniqueEventName }) =>
          `\t\t<redcap:RepeatingEvent${xmlAttributes({ 'redcap:UniqueEventName': event(uniqueEventName) })}/>`,
      ),
    ...(instruments.length === 0
      ? []
      : [
          '\t\t<redcap:RepeatingInstruments>',
          ...instruments.map(
            ({ uniqueEventName, instrument, customLabel }) =>
              `\t\t\t<redcap:RepeatingInstrument${xmlAttributes({ 'redcap:UniqueEventName': event(uniqueEventName), 'redcap:RepeatInstrument': instrument, 'redcap:CustomLabel': customLabel })}/>`,
          ),
          '\t\t</redcap:RepeatingInstruments>',
        ]),
    '\t</redcap:RepeatingInstrumentsAndEvents>',
  ];
}

function surveyAttributes({ study }: SandboxProject): Record<string, string>[] {
  return (study.surveys ?? []).map(({ instrument, title, hasReturnCodes, others }) => ({
    form_name: instrument,
    title: title ?? study.instruments.find(({ name }) => name === instrument)?.label ?? instrument,
    survey_enabled: '1',
    ...others,
    save_and_return: hasReturnCodes ? '1' : '0',
  }));
}

function reportAttributes({ study }: SandboxProject): Record<string, string>[] {
  return (study.reports ?? []).map((report, index) => ({
    title: report.title,
    unique_report_name: report.uniqueName ?? '',
    report_order: String(index + 1),
    user_access: 'ALL',
    ...report.others,
    advanced_logic: report.filterLogic,
    filter_type: report.isFilteredByRecord === true ? 'RECORD' : 'EVENT',
    redcap_reports_fields: report.fields.join(','),
    redcap_reports_filter_dags: (report.filterGroups ?? []).join(','),
    redcap_reports_filter_events: (report.filterEvents ?? []).join(','),
  }));
}

/** Writes `<redcap:ReportsGroup>` with one `<redcap:Reports …/>` per entry; nothing if there are no entries. */
function listLines(name: string, entries: readonly Readonly<Record<string, string>>[]): string[] {
  if (entries.length === 0) return [];
  return [
    `\t<redcap:${name}Group>`,
    ...entries.map((attributes) => `\t\t<redcap:${name}${xmlAttributes(attributes)}/>`),
    `\t</redcap:${name}Group>`,
  ];
}

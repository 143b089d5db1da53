import type { SandboxProject } from '../project.js';
import type { ServerVersion } from '../../../wire/server-version.js';
import { XML_PROLOG } from '../../../wire/write-answer.js';
import { itemGroupsOf, writeMetadata } from './write-metadata.js';
import { type ClinicalData, writeClinicalData } from './write-clinical-data.js';
import { xmlAttributes, xmlText } from './xml.js';
import { formRightsOf } from '../rights-rows.js';
import { roleAttributes, SETTING_ELEMENTS } from './odm-words.js';

interface ProjectXmlOptions {
  /** The REDCap version that the document names as its source. */
  readonly version: ServerVersion;
  /** The records; undefined to write only the design. */
  readonly data: ClinicalData | undefined;
}

/**
 * Writes a project in the format of REDCap's own download: CDISC ODM 1.3.1 with REDCap's extensions.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function writeProjectXml(project: SandboxProject, { version, data }: ProjectXmlOptions): string {
  const { title } = project.study.project;
  const groups = itemGroupsOf(project);
  const { study, metadata } = oidsOf(project);
  return [
    ...opening(project, version.text),
    `<Study${xmlAttributes({ OID: study })}>`,
    '<GlobalVariables>',
    ...writeGlobalVariables(project),
    '</GlobalVariables>',
    `<MetaDataVersion${xmlAttributes({ OID: metadata, Name: title, 'redcap:RecordIdField': project.idField })}>`,
    ...writeMetadata(project, groups),
    '</MetaDataVersion>',
    '</Study>',
    ...(data === undefined ? [] : clinicalData(project, data)),
    '</ODM>',
  ].join('\n');
}

/** Writes only records: `format=odm` of `content=record`. @see docs/protocol/redcap.md 4.6 (inferred) */
export function writeOdmRecords(project: SandboxProject, data: ClinicalData, version: string): string {
  return [...opening(project, version), ...clinicalData(project, data), '</ODM>'].join('\n');
}

function opening(project: SandboxProject, version: string): string[] {
  const at = project.now().replace(' ', 'T');
  return [
    XML_PROLOG,
    `<ODM${xmlAttributes({
      xmlns: 'http://www.cdisc.org/ns/odm/v1.3',
      'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xmlns:redcap': 'https://projectredcap.org',
      'xsi:schemaLocation': 'http://www.cdisc.org/ns/odm/v1.3 schema/odm/ODM1-3-1.xsd',
      ODMVersion: '1.3.1',
      FileOID: '000-00-0000',
      FileType: 'Snapshot',
      Description: project.study.project.title,
      AsOfDateTime: at,
      CreationDateTime: at,
      SourceSystem: 'REDCap',
      SourceSystemVersion: version,
    })}>`,
  ];
}

function clinicalData(project: SandboxProject, data: ClinicalData): string[] {
  const { study, metadata } = oidsOf(project);
  return [
    `<ClinicalData${xmlAttributes({ StudyOID: study, MetaDataVersionOID: metadata })}>`,
    ...writeClinicalData(project, data),
    '</ClinicalData>',
  ];
}

/**
 * Returns `Project.DoctestProject` and `Metadata.DoctestProject_2025-05-02_1206`: up to 30 letters and digits of the
 * title.
 */
function oidsOf(project: SandboxProject): { study: string; metadata: string } {
  const stem = project.study.project.title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, 30);
  const [day = '', time = ''] = project.now().split(' ');
  return {
    study: `Project.${stem}`,
    metadata: `Metadata.${stem}_${day}_${time.slice(0, 5).replace(':', '')}`,
  };
}

/**
 * Writes the lines of `GlobalVariables`: settings, repeats, groups, roles, surveys and reports.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
function writeGlobalVariables(project: SandboxProject): string[] {
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
  const nameOf = (event: string): string => event || 'event_1_arm_1';
  const instruments = project.repeating.filter(({ instrument }) => instrument !== '');
  return [
    '\t<redcap:RepeatingInstrumentsAndEvents>',
    ...project.repeating
      .filter(({ instrument }) => instrument === '')
      .map(
        ({ event }) =>
          `\t\t<redcap:RepeatingEvent${xmlAttributes({ 'redcap:UniqueEventName': nameOf(event) })}/>`,
      ),
    ...(instruments.length === 0
      ? []
      : [
          '\t\t<redcap:RepeatingInstruments>',
          ...instruments.map(
            ({ event, instrument, customLabel }) =>
              `\t\t\t<redcap:RepeatingInstrument${xmlAttributes({ 'redcap:UniqueEventName': nameOf(event), 'redcap:RepeatInstrument': instrument, 'redcap:CustomLabel': customLabel })}/>`,
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

import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { ServerVersion } from '../../../wire/server-version.js';
import {
  itemGroupsOf,
  type OdmHead,
  odmOids,
  odmOpening,
  OdmRecords,
  type OdmRow,
} from '../../../wire/write-odm.js';
import { xmlAttributes, xmlText } from '../../../wire/xml.js';
import type { ContentCall } from '../content.js';
import type { SandboxProject } from '../project.js';
import { documentPlaceOf, rowsToExport, selectColumns } from '../records/export-selection.js';
import { formRightsOf } from '../rights-rows.js';
import { writeMetadata } from './write-metadata.js';
import { roleAttributes, SETTING_ELEMENTS } from './odm-words.js';

/**
 * Selects the records that a call requests and its caller may export, with every value that is stored.
 *
 * @throws {ApiFailure} 400 for unknown fields, forms and events, and for invalid logic
 * @see docs/protocol/redcap.md 9.8 (doc), 4.7 (doc)
 */
export function storedRowsOf(
  call: ContentCall,
  { hasFiles }: { readonly hasFiles: boolean },
): readonly OdmRow[] {
  const { project, parameters, caller } = call;
  const { columns, surveyCells } = selectColumns(call);
  const isFile = ({ field, instrument }: ExportColumn): boolean =>
    hasFiles && field?.type === 'file' && caller.exportRight(instrument) === 1;
  const files = new Set(columns.filter(isFile).map(({ name }) => name));
  const shown = new Set([...columns.map(({ name }) => name), ...surveyCells]);
  const hasGroups = parameters.flag('exportDataAccessGroups') && caller.group === '';
  return rowsToExport(call).map((selected) => {
    const { record, row } = selected;
    const values = [...row.values]
      .filter(([name]) => shown.has(name))
      .map(([name, value]): [string, OdmRow[string]] => {
        const file = files.has(name) && project.documents.at(documentPlaceOf(selected, name));
        return [name, file || value];
      });
    return {
      [project.idField]: record.id,
      redcap_event_name: row.event,
      redcap_repeat_instrument: row.instrument,
      redcap_repeat_instance: row.instance,
      ...(hasGroups && { redcap_data_access_group: record.group }),
      ...(surveyCells.has('redcap_survey_identifier') && {
        redcap_survey_identifier: record.surveyIdentifier,
      }),
      ...Object.fromEntries(values),
    };
  });
}

/**
 * Writes a project in the format of REDCap's own download: CDISC ODM 1.3.1 with REDCap's extensions.
 *
 * @param rows the records; undefined to write only the design
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function writeProjectXml(
  project: SandboxProject,
  version: ServerVersion,
  rows: readonly OdmRow[] | undefined,
): string {
  const head = headOf(project, version);
  const { study, metadata } = odmOids(head);
  const { surveysEnabled } = project.study.project;
  const surveys = surveysEnabled ? (project.study.surveys ?? []) : [];
  const extras = [
    ...(project.groups.length > 0 ? ['redcap_data_access_group'] : []),
    ...(surveysEnabled ? ['redcap_survey_identifier'] : []),
    ...surveys.map(({ instrument }) => `${instrument}_timestamp`),
  ];
  const groups = itemGroupsOf(project, new Set(extras));
  return [
    ...odmOpening(head),
    `<Study${xmlAttributes({ OID: study })}>`,
    '<GlobalVariables>',
    ...writeGlobalVariables(project),
    '</GlobalVariables>',
    `<MetaDataVersion${xmlAttributes({ OID: metadata, Name: head.title, 'redcap:RecordIdField': project.idField })}>`,
    ...writeMetadata(project, groups),
    '</MetaDataVersion>',
    '</Study>',
    ...(rows === undefined ? [] : linesOf(new OdmRecords(project, head, groups), rows)),
    '</ODM>',
  ].join('\n');
}

/** Writes only records: `format=odm` of `content=record`. @see docs/protocol/redcap.md 4.6 (inferred) */
export function writeOdmRecords(
  project: SandboxProject,
  version: ServerVersion,
  rows: readonly OdmRow[],
): string {
  const head = headOf(project, version);
  return [...odmOpening(head), ...linesOf(new OdmRecords(project, head), rows), '</ODM>'].join('\n');
}

function headOf(project: SandboxProject, version: ServerVersion): OdmHead {
  return { title: project.study.project.title, version: version.text, now: project.now() };
}

function linesOf(records: OdmRecords, rows: readonly OdmRow[]): string[] {
  return [records.opening, ...rows.flatMap((row) => records.row(row)), ...records.closing()];
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

import type { SandboxProject } from '../project.js';
import type { ServerVersion } from '../server-version.js';
import { XML_PROLOG } from '../wire/write-answer.js';
import { itemGroupsOf } from './item-groups.js';
import { type ClinicalData, writeClinicalData } from './write-clinical-data.js';
import { writeGlobalVariables } from './write-global-variables.js';
import { writeMetadata } from './write-metadata.js';
import { xmlAttributes } from './xml.js';

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

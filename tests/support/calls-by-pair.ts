import { buffer } from 'node:stream/consumers';
import type { CrfClient } from '../../src/gateways/redcap/crf-client.js';
import { rightsOf, type RightName } from '../../src/sandbox/redcap/rights.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { armsStudy } from './studies.js';

const PLACE = { record: '1', event: 'start_arm_1' };
const FILE_PLACE = { ...PLACE, field: 'consent' };
const SURVEY = { ...PLACE, instrument: 'enrol' };
const FILE = { name: 'a.txt', contentType: 'text/plain', bytes: [Buffer.from('text')] };

/** The ID of the repository's first file; the record's file has ID 1. */
const DOCUMENT = 2;
const ROLE = 'U-TOBEGONE01';

/** Returns a project with data for every call in `CALLS`. */
export function fullStudy(): Study {
  const study = armsStudy();
  return {
    ...study,
    project: { ...study.project, settings: { randomization_enabled: 1 } },
    fields: study.fields.map((field) =>
      field.name === 'mood' ? { ...field, annotation: '@RANDOMIZE' } : field,
    ),
    rows: study.rows.map(({ mood: _mood, ...row }) => row),
    surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    reports: [{ id: 7, title: 'Names', fields: ['name'], filterLogic: '' }],
    roles: [{ uniqueName: ROLE, label: 'To be deleted', rights: rightsOf({}) }],
    groups: [{ uniqueName: 'north', name: 'North', id: 1 }],
    files: [
      {
        ...{ record: '1', event: 'start_arm_1', instrument: '', instance: 0, field: 'consent' },
        ...{ name: 'form.pdf', type: 'application/pdf', bytes: Buffer.from('signed') },
      },
    ],
  };
}

/** REDCap's rights, by the letters of the table in docs/protocol/redcap.md 3 (doc): the sandbox's name, and REDCap's. */
export const RIGHTS = {
  E: ['api_export', 'API Export'],
  I: ['api_import', 'API Import/Update'],
  D: ['design', 'Project Design and Setup'],
  U: ['user_rights', 'User Rights'],
  G: ['data_access_groups', 'Data Access Groups'],
  S: ['manage_survey_participants', 'Survey Distribution Tools'],
  F: ['file_repository', 'File Repository'],
  L: ['logging', 'Logging'],
  'Create Records': ['record_create', 'Create Records'],
  'Delete Record': ['record_delete', 'Delete Record'],
  'Rename Record': ['record_rename', 'Rename Record'],
  Randomize: ['random_perform', 'Randomize'],
} as const satisfies Readonly<Record<string, readonly [RightName, string]>>;

type Call = (client: CrfClient) => Promise<unknown>;

/**
 * The rights that a pair of content and action needs, as in docs/protocol/redcap.md 3 (doc) and 20 (client), and a call
 * of it, for each pair that has a method. In this order, all of them succeed on `fullStudy` one after the other. They
 * are made on the wire, with each right missing, and with wrong arguments; other tests need no list of their own.
 */
export const CALLS: Readonly<Record<string, readonly [needs: string, call: Call]>> = {
  version: ['', (client) => client.getVersion()],
  'record/export': ['E', (client) => client.exportRecords()],
  generateNextRecordName: ['E', (client) => client.records.nextId()],
  'metadata/export': ['E', (client) => client.fields.list()],
  exportFieldNames: ['E', (client) => client.exportFieldNames.list()],
  'fieldValidation/export': ['', (client) => client.fieldValidations.list()],
  'instrument/export': ['E', (client) => client.instruments.list()],
  'pdf/export': ['E', async (client) => buffer((await client.pdf.get()).body)],
  'formEventMapping/export': ['E', (client) => client.mappings.list()],
  'repeatingFormsEvents/export': ['E', (client) => client.repeating.list()],
  'event/export': ['E', (client) => client.events.list()],
  'arm/export': ['E', (client) => client.arms.list()],
  'dag/export': ['E', (client) => client.dags.list()],
  'userDagMapping/export': ['E + G', (client) => client.dagAssignments.list()],
  'user/export': ['E + U', (client) => client.users.list()],
  'userRole/export': ['E + U', (client) => client.roles.list()],
  'userRoleMapping/export': ['E + U', (client) => client.roleAssignments.list()],
  'project/export': ['E', (client) => client.project.getInfo()],
  'project_xml/export': ['E', async (client) => buffer(await client.project.openXml())],
  'file/export': ['E', async (client) => buffer((await client.files.get(FILE_PLACE)).body)],
  'fileRepository/list': ['E + F', (client) => client.fileRepository.list()],
  'surveyLink/export': ['E + S', (client) => client.surveys.getLink(SURVEY)],
  'surveyQueueLink/export': ['E + S', (client) => client.surveys.getQueueLink('1')],
  'surveyReturnCode/export': ['E + S', (client) => client.surveys.getReturnCode(SURVEY)],
  'surveyAccessCode/export': ['E + S', (client) => client.surveys.getAccessCode(SURVEY)],
  'participantList/export': [
    'E + S',
    (client) => client.surveys.listParticipants({ instrument: 'enrol', event: PLACE.event }),
  ],
  'report/export': ['E', (client) => client.reports.get(7)],
  'log/export': ['E + L', (client) => client.log.list()],
  'record/import': [
    'I',
    (client) =>
      client.importRecords([{ id: '1', redcap_event_name: 'start_arm_1', alive: '0' }], { check: false }),
  ],
  'record/import (a new record)': [
    'I + Create Records',
    (client) => client.importRecords([{ id: '9', redcap_event_name: 'start_arm_1' }], { check: false }),
  ],
  'record/randomize': ['Randomize', (client) => client.records.randomize('1', 1)],
  'record/rename': ['Rename Record', (client) => client.records.rename('2', '3')],
  'record/delete': ['Delete Record', (client) => client.records.delete(['3'])],
  'fileRepository/createFolder': [
    'I + F',
    (client) => client.fileRepository.createFolder({ name: 'Ethics' }),
  ],
  'fileRepository/import': ['I + F', (client) => client.fileRepository.put(FILE)],
  'fileRepository/export': [
    'E + F',
    async (client) => buffer((await client.fileRepository.get(DOCUMENT)).body),
  ],
  'fileinfo/export': ['E', (client) => client.fileRepository.info(DOCUMENT)],
  'filesize/export': ['E', (client) => client.fileRepository.size(DOCUMENT)],
  'fileRepository/delete': ['I + F', (client) => client.fileRepository.delete(DOCUMENT)],
  'file/import': ['I', (client) => client.files.put(FILE_PLACE, FILE)],
  'file/delete': ['I', (client) => client.files.delete(FILE_PLACE)],
  'project_settings/import': ['I + D', (client) => client.project.putInfo({ notes: 'Tried' })],
  'metadata/import': ['I + D', async (client) => client.fields.put(fullStudy().fields)],
  'formEventMapping/import': [
    'I + D',
    (client) => client.mappings.put([{ arm: 1, event: 'start_arm_1', instrument: 'enrol' }]),
  ],
  'repeatingFormsEvents/import': [
    'I + D',
    (client) => client.repeating.put([{ event: 'visit_arm_1', instrument: '', customLabel: '' }]),
  ],
  'event/import': ['I + D', (client) => client.events.put([{ label: 'Late', arm: 1 }])],
  'event/delete': ['I + D', (client) => client.events.delete(['late_arm_1'])],
  'arm/import': ['I + D', (client) => client.arms.put([{ number: 4, name: 'Drug D' }])],
  'arm/delete': ['I + D', (client) => client.arms.delete([4])],
  'dag/import': ['I + G', (client) => client.dags.put([{ name: 'South' }])],
  'dag/delete': ['I + G', (client) => client.dags.delete(['south'])],
  'userDagMapping/import': [
    'I + G',
    (client) => client.dagAssignments.put([{ username: 'monitor', dag: 'north' }]),
  ],
  'user/import': ['I + U', (client) => client.users.put([{ username: 'newcomer' }])],
  'user/delete': ['I + U + Delete Record', (client) => client.users.delete(['newcomer'])],
  'userRole/import': ['I + U', (client) => client.roles.put([{ label: 'Reader' }])],
  'userRole/delete': ['I + U', (client) => client.roles.delete([ROLE])],
  'userRoleMapping/import': [
    'I + U',
    (client) => client.roleAssignments.put([{ username: 'monitor', role: '' }]),
  ],
  'dag/switch': ['I', (client) => client.dags.switch('north')],
};

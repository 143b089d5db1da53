import { buffer } from 'node:stream/consumers';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { rightsOf } from '../../../src/sandbox/redcap/rights.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { armsStudy } from '../../support/studies.js';

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

/**
 * One client call for each pair of content and action that has a method. In this order, all of them succeed on
 * `fullStudy` one after the other.
 */
export const CALLS: Readonly<Record<string, (client: CrfClient) => Promise<unknown>>> = {
  version: (client) => client.getVersion(),
  'record/export': (client) => client.exportRecords(),
  generateNextRecordName: (client) => client.records.nextId(),
  'metadata/export': (client) => client.getMetadata(),
  exportFieldNames: (client) => client.dictionary.exportFieldNames(),
  'fieldValidation/export': (client) => client.dictionary.exportValidations(),
  'instrument/export': (client) => client.instruments.export(),
  'pdf/export': async (client) => buffer((await client.pdf.download()).body),
  'formEventMapping/export': (client) => client.instruments.exportEventMappings(),
  'repeatingFormsEvents/export': (client) => client.instruments.exportRepeating(),
  'event/export': (client) => client.events.export(),
  'arm/export': (client) => client.arms.export(),
  'dag/export': (client) => client.dags.export(),
  'userDagMapping/export': (client) => client.dags.exportAssignments(),
  'user/export': (client) => client.users.export(),
  'userRole/export': (client) => client.roles.export(),
  'userRoleMapping/export': (client) => client.roles.exportAssignments(),
  'project/export': (client) => client.getProjectInfo(),
  'project_xml/export': async (client) => buffer(await client.projects.openXml()),
  'file/export': async (client) => buffer((await client.files.download(FILE_PLACE)).body),
  'fileRepository/list': (client) => client.fileRepository.list(),
  'surveyLink/export': (client) => client.surveys.link(SURVEY),
  'surveyQueueLink/export': (client) => client.surveys.queueLink('1'),
  'surveyReturnCode/export': (client) => client.surveys.returnCode(SURVEY),
  'surveyAccessCode/export': (client) => client.surveys.accessCode(SURVEY),
  'participantList/export': (client) =>
    client.surveys.participants({ instrument: 'enrol', event: PLACE.event }),
  'report/export': (client) => client.reports.export(7),
  'log/export': (client) => client.logs.export(),
  'record/import': (client) =>
    client.importRecords([{ id: '1', redcap_event_name: 'start_arm_1', alive: '0' }], { check: false }),
  'record/import (a new record)': (client) =>
    client.importRecords([{ id: '9', redcap_event_name: 'start_arm_1' }], { check: false }),
  'record/randomize': (client) => client.records.randomize('1', 1),
  'record/rename': (client) => client.records.rename('2', '3'),
  'record/delete': (client) => client.records.delete(['3']),
  'fileRepository/createFolder': (client) => client.fileRepository.createFolder({ name: 'Ethics' }),
  'fileRepository/import': (client) => client.fileRepository.upload(FILE),
  'fileRepository/export': async (client) => buffer((await client.fileRepository.download(DOCUMENT)).body),
  'fileinfo/export': (client) => client.files.info(DOCUMENT),
  'filesize/export': (client) => client.files.size(DOCUMENT),
  'fileRepository/delete': (client) => client.fileRepository.delete(DOCUMENT),
  'file/import': (client) => client.files.upload(FILE_PLACE, FILE),
  'file/delete': (client) => client.files.delete(FILE_PLACE),
  'project_settings/import': (client) => client.projects.changeSettings({ notes: 'Tried' }),
  'metadata/import': async (client) => client.dictionary.import(fullStudy().fields),
  'formEventMapping/import': (client) =>
    client.instruments.importEventMappings([
      { armNumber: 1, uniqueEventName: 'start_arm_1', instrument: 'enrol' },
    ]),
  'repeatingFormsEvents/import': (client) =>
    client.instruments.importRepeating([{ uniqueEventName: 'visit_arm_1', instrument: '', customLabel: '' }]),
  'event/import': (client) => client.events.import([{ label: 'Late', armNumber: 1 }]),
  'event/delete': (client) => client.events.delete(['late_arm_1']),
  'arm/import': (client) => client.arms.import([{ number: 4, name: 'Drug D' }]),
  'arm/delete': (client) => client.arms.delete([4]),
  'dag/import': (client) => client.dags.import([{ name: 'South' }]),
  'dag/delete': (client) => client.dags.delete(['south']),
  'userDagMapping/import': (client) =>
    client.dags.importAssignments([{ username: 'monitor', group: 'north' }]),
  'user/import': (client) => client.users.import([{ username: 'newcomer' }]),
  'user/delete': (client) => client.users.delete(['newcomer']),
  'userRole/import': (client) => client.roles.import([{ label: 'Reader' }]),
  'userRole/delete': (client) => client.roles.delete([ROLE]),
  'userRoleMapping/import': (client) => client.roles.importAssignments([{ username: 'monitor', role: '' }]),
  'dag/switch': (client) => client.dags.switch('north'),
};

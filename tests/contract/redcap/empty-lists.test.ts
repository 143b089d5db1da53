import { expect } from 'chai';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

/** A trial without data, with an instrument that has no fields. */
function emptyTrial(): Study {
  const trial = armsStudy();
  return {
    ...trial,
    instruments: [...trial.instruments, { name: 'later', label: 'Later' }],
    surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    reports: [{ id: 7, title: 'None', fields: ['name'], filterLogic: '' }],
    groups: [],
    mappings: trial.mappings.filter(({ instrument }) => instrument === 'enrol'),
    rows: [],
  };
}

const PROLOG = '<?xml version="1.0" encoding="UTF-8" ?>';

/** @see docs/protocol/redcap.md 1.8 (client, inferred) */
const LISTS: readonly (readonly [name: string, form: Form, header: string])[] = [
  ['arms', { content: 'arm', arms: '3' }, 'arm_num,name'],
  [
    'events',
    { content: 'event', arms: '3' },
    'event_name,arm_num,unique_event_name,custom_event_label,event_id\n',
  ],
  ['mappings', { content: 'formEventMapping', arms: '3' }, 'arm_num,unique_event_name,form'],
  ['groups', { content: 'dag' }, 'data_access_group_name,unique_group_name,data_access_group_id\n'],
  [
    'the files of the repository',
    { content: 'fileRepository', action: 'list' },
    'folder_id,doc_id,name,role,dag\n',
  ],
  [
    'participants',
    { content: 'participantList', instrument: 'enrol', event: 'start_arm_1' },
    'email,email_occurrence,identifier,record,invitation_sent_status,invitation_send_time,response_status,survey_access_code,survey_link\n',
  ],
  ['log entries', { content: 'log', record: 'none' }, 'timestamp,username,action,details,record\n'],
];

describe('A list without entries', () => {
  let trial: TestSandbox;
  let classic: TestSandbox;
  before(async () => {
    trial = await startTestSandbox(emptyTrial());
    classic = await startTestSandbox({ ...classicStudy(), rows: [] });
  });
  after(() => Promise.all([trial.close(), classic.close()]));

  for (const [name, form, header] of LISTS)
    it(`of ${name} has its header in CSV, and is empty in JSON and XML`, async () => {
      expect(await textOf(trial, form)).to.equal(header);
      expect(await textOf(trial, { ...form, format: 'json' })).to.equal('[]');
      expect(await textOf(trial, { ...form, format: 'xml' })).to.equal(`${PROLOG}\n<items>\n</items>`);
    });

  it('of roles has its header in CSV, and is empty in JSON and XML', async () => {
    const form = { content: 'userRole' };

    expect(await textOf(trial, form)).to.match(/^unique_role_name,role_label,.*,forms,forms_export\n$/);
    expect(await textOf(trial, { ...form, format: 'json' })).to.equal('[]');
    expect(await textOf(trial, { ...form, format: 'xml' })).to.equal(`${PROLOG}\n<items>\n</items>`);
  });

  it('of the fields of an instrument that has none has its header in CSV, and is empty in JSON and XML', async () => {
    const form = { content: 'metadata', forms: 'later' };

    expect(await textOf(trial, form)).to.match(/^field_name,form_name,.*,field_annotation\n$/);
    expect(await textOf(trial, { ...form, format: 'json' })).to.equal('[]');
    expect(await textOf(trial, { ...form, format: 'xml' })).to.equal(`${PROLOG}\n<items>\n</items>`);
  });

  for (const [name, form] of [
    ['records', { content: 'record' }],
    ['records as EAV', { content: 'record', type: 'eav' }],
    ['records with labels', { content: 'record', rawOrLabel: 'label', rawOrLabelHeaders: 'label' }],
    ['the rows of a report', { content: 'report', report_id: '7' }],
  ] as const)
    it(`of ${name} has no header in CSV, and is empty in JSON and XML`, async () => {
      expect((await textOf(trial, form)).trim()).to.equal('');
      expect(await textOf(trial, { ...form, format: 'json' })).to.equal('[]');
      expect(await textOf(trial, { ...form, format: 'xml' })).to.equal(`${PROLOG}\n<records>\n</records>`);
    });

  for (const content of ['arm', 'event', 'formEventMapping', 'repeatingFormsEvents'])
    it(`is none of ${content} in a project without events and repeats, which refuses it in every format`, async () => {
      const text = await refusalOf(classic, { content });

      expect(text).to.match(/^You cannot export /);
      expect(await post(classic, { content, format: 'csv' })).to.include({
        status: 400,
        text: `ERROR: ${text}`,
      });
      expect(await post(classic, { content, format: 'xml' })).to.include({
        status: 400,
        text: `${PROLOG}<hash><error>${text}</error></hash>`,
      });
    });

  it('of what repeats can be imported, also without events', async () => {
    const form = { content: 'repeatingFormsEvents', data: '[]', format: 'json' };

    expect(await textOf(classic, form)).to.equal('0');
    expect(await textOf(trial, form)).to.equal('0');
    expect(await refusalOf(trial, { content: 'repeatingFormsEvents' })).to.match(
      /^You cannot export repeating/,
    );
  });
});

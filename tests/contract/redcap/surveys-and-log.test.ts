import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy, randomizedStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

describe('Surveys of the REDCap sandbox', () => {
  let sandbox: TestSandbox;
  const place: Form = { record: '1', instrument: 'enrol', event: 'start_arm_1' };

  before(async () => {
    const surveys = [{ instrument: 'enrol', hasReturnCodes: true }];
    sandbox = await startTestSandbox({ ...armsStudy(), surveys });
  });
  after(() => sandbox.close());

  for (const [content, pattern] of [
    ['surveyLink', /^https:\/\/.+?\/surveys\/\?s=\w{16}$/],
    ['surveyQueueLink', /^https:\/\/.+?\/surveys\/\?sq=\w{16}$/],
    ['surveyReturnCode', /^[A-Z0-9]{8}$/],
    ['surveyAccessCode', /^[A-Z0-9]{9}$/],
  ] as const) {
    it(`have a ${content} that is stable, and different for another record`, async () => {
      const text = await textOf(sandbox, { content, ...place });

      expect(text).to.match(pattern);
      expect(await textOf(sandbox, { content, ...place })).to.equal(text);
      expect(await textOf(sandbox, { content, ...place, record: '2' })).to.not.equal(text);
    });
  }

  it('have participants, with numeric numbers', async () => {
    const [first] = (await jsonOf(sandbox, {
      content: 'participantList',
      instrument: 'enrol',
      event: 'start_arm_1',
    })) as object[];

    expect(first).to.include({
      email_occurrence: 1,
      invitation_sent_status: 0,
      response_status: 2,
      record: '',
    });
  });

  it('have the response of the first instance if the survey repeats', async () => {
    const study = longitudinalStudy();
    const status = { redcap_event_name: 'start_arm_1', redcap_repeat_instrument: 'meds' };
    const repeating = await startTestSandbox({
      ...study,
      project: { ...study.project, surveysEnabled: true },
      surveys: [{ instrument: 'meds', hasReturnCodes: false }],
      rows: [
        { id: '1', ...status, redcap_repeat_instance: '1', drug: 'x', meds_complete: '2' },
        { id: '1', ...status, redcap_repeat_instance: '2', drug: 'y', meds_complete: '0' },
      ],
    });
    const form = { content: 'participantList', instrument: 'meds', event: 'start_arm_1' };
    const participants = (await jsonOf(repeating, form)) as { response_status: number }[];
    await repeating.close();

    expect(participants.map(({ response_status }) => response_status)).to.deep.equal([2]);
  });

  it('keep a participant whose link was requested when the event is renamed', async () => {
    const renaming = await startTestSandbox({
      ...armsStudy(),
      surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
      rows: [{ id: '9', redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: '70.0' }],
    });
    await textOf(renaming, { content: 'surveyLink', ...place, record: '9' });
    const listAt = async (event: string) =>
      (await jsonOf(renaming, { content: 'participantList', instrument: 'enrol', event })) as object[];
    const before = await listAt('start_arm_1');
    const data = '[{"event_name":"First","arm_num":1,"unique_event_name":"start_arm_1"}]';
    const answer = await textOf(renaming, { content: 'event', action: 'import', format: 'json', data });
    const after = await listAt('first_arm_1');
    await renaming.close();

    expect(answer).to.equal('1');
    expect(before).to.have.lengthOf(1);
    expect(after).to.have.lengthOf(1);
  });

  it('have no participant for a new record that reuses the name of a deleted one', async () => {
    const list = { content: 'participantList', instrument: 'enrol', event: 'start_arm_1' };
    const before = ((await jsonOf(sandbox, list)) as object[]).length;
    await textOf(sandbox, { content: 'surveyLink', ...place });
    await textOf(sandbox, { content: 'record', action: 'delete', records: place.record });
    await textOf(sandbox, { content: 'record', data: `id,redcap_event_name\n${place.record},start_arm_1\n` });

    expect(await jsonOf(sandbox, list)).to.have.length(before - 1);
  });

  for (const content of ['surveyLink', 'surveyReturnCode', 'surveyAccessCode', 'participantList']) {
    it(`have no ${content} at an event without the instrument`, async () => {
      const { project } = sandbox;
      expect(project.isMapped('visit_arm_1', 'enrol')).to.equal(false);

      expect(await refusalOf(sandbox, { content, ...place, event: 'visit_arm_1' })).to.match(/not enabled/);
      expect(project.records.get('1')?.requestedSurveys.has('visit_arm_1\nenrol')).to.equal(false);
    });
  }

  it('are refused for an unknown record, an instrument that is not a survey, and a project without surveys', async () => {
    expect(await refusalOf(sandbox, { content: 'surveyLink', ...place, record: '-1' })).to.equal(
      'The record "-1" does not exist',
    );
    expect(await refusalOf(sandbox, { content: 'surveyLink', ...place, instrument: 'meds' })).to.match(
      /not enabled/,
    );
    const classic = await startTestSandbox(classicStudy());
    expect(await refusalOf(classic, { content: 'surveyLink', record: '2', instrument: 'base' })).to.match(
      /not enabled/,
    );
    await classic.close();
  });
});

describe('The log of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  afterEach(() => sandbox.close());

  const actions = async (form: Form = {}): Promise<string[]> => {
    const rows = (await jsonOf(sandbox, { content: 'log', ...form })) as { action: string }[];
    return rows.map(({ action }) => action);
  };

  it('lists what was done, newest first', async () => {
    await textOf(sandbox, { content: 'record', data: 'id,age\nnew,1\n' });
    await textOf(sandbox, { content: 'record', data: 'id,age\nnew,2\n' });
    await textOf(sandbox, { content: 'record', action: 'rename', record: 'new', new_record_name: 'newer' });
    await textOf(sandbox, { content: 'record', action: 'delete', records: 'newer' });
    await textOf(sandbox, { content: 'record' });
    await textOf(sandbox, { content: 'instrument' });

    expect(await actions()).to.deep.equal([
      'Manage/Design ',
      'Data Export (API) ',
      'Delete record newer',
      'Update record (API) new', // the rename, under the old name
      'Update record (API) new',
      'Create record (API) new',
    ]);
    expect(await actions({ logtype: 'record_add' })).to.deep.equal(['Create record (API) new']);
    expect(await actions({ logtype: 'record', record: 'new' })).to.have.length(3);
    expect(await actions({ logtype: 'record', record: 'newer' })).to.deep.equal(['Delete record newer']);
    expect(await actions({ user: 'nobody' })).to.deep.equal([]);
  });

  it('lists the values of a change, with times in minutes', async () => {
    await textOf(sandbox, { content: 'record', data: 'id,age,sex\nnew,1,2\n' });

    const [entry] = (await jsonOf(sandbox, { content: 'log' })) as Record<string, string>[];

    expect(entry).to.include({
      username: 'data.manager',
      details: "id = 'new', age = '1', sex = '2'",
      record: 'new',
    });
    expect(entry?.timestamp).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  });

  it('omits a record that is deleted with delete_logging', async () => {
    await textOf(sandbox, { content: 'record', data: 'id,age\nnew,1\n' });
    await textOf(sandbox, { content: 'record', action: 'delete', records: 'new', delete_logging: '1' });

    expect(await actions({ logtype: 'record' })).to.deep.equal(['Delete record new']);
  });

  it('is limited to the requested period', async () => {
    await textOf(sandbox, { content: 'instrument' });

    expect(await actions({ beginTime: '2000-01-01 00:00', endTime: '2000-01-02 00:00' })).to.deep.equal([]);
    expect(await actions({ beginTime: '2000-01-01 00:00' })).to.have.length(2);
    expect(await refusalOf(sandbox, { content: 'log', beginTime: 'yesterday' })).to.include('beginTime');
  });

  it('takes a day without a time for its first minute, as the begin and as the end', async () => {
    sandbox.project.log.add({
      at: '2020-02-03 00:00:59',
      username: 'ada',
      kind: 'user',
      action: 'Midnight',
      details: '',
    });
    const day = { beginTime: '2020-02-03', endTime: '2020-02-03' };

    expect(await actions(day)).to.deep.equal(['Midnight']);
  });
});

describe('Records of the REDCap sandbox that are renamed, randomized and reported', () => {
  it('keep everything under a new name, which must be free', async () => {
    const sandbox = await startTestSandbox(classicStudy());
    const rename = { content: 'record', action: 'rename', record: '2' };

    expect(await refusalOf(sandbox, { ...rename, new_record_name: '10' })).to.match(/exists already/);
    expect(await textOf(sandbox, { ...rename, new_record_name: 'Two' })).to.equal('1');

    expect(await textOf(sandbox, { content: 'record', records: 'Two', fields: 'id,age' })).to.equal(
      'id,age\nTwo,30\n',
    );
    expect(await refusalOf(sandbox, { ...rename, new_record_name: 'Three' })).to.equal(
      'The record "2" does not exist',
    );
    await sandbox.close();
  });

  it('are assigned once, to a choice of the randomized field', async () => {
    const sandbox = await startTestSandbox({ ...randomizedStudy(), rows: [{ id: '1' }] });
    const form = {
      content: 'record',
      action: 'randomize',
      record: '1',
      randomization_id: '1',
      returnAlt: 'true',
    };

    const row = (await jsonOf(sandbox, form)) as Record<string, string>;

    expect(row).to.include({ randomization_id: 1, record: '1', target_field_alt: '*' });
    expect(row.target_field).to.match(/^[12]$/);
    expect(await textOf(sandbox, { content: 'record', fields: 'sex' })).to.equal(
      `sex\n${row.target_field ?? ''}\n`,
    );
    expect(await refusalOf(sandbox, form)).to.match(/already been randomized/);
    await sandbox.close();
  });

  it('are listed in a report with the record ID, its fields, and only if its filter matches', async () => {
    const reports = [{ id: 7, title: 'Adults', fields: ['age'], filterLogic: '[age] > 25' }];
    const sandbox = await startTestSandbox({ ...classicStudy(), reports });

    expect(await textOf(sandbox, { content: 'report', report_id: '7' })).to.equal('id,age\n2,30\nA-1,40\n');
    expect(await refusalOf(sandbox, { content: 'report', report_id: '8' })).to.match(/does not exist/);
    expect(await refusalOf(sandbox, { content: 'report' })).to.equal(
      'The value of the parameter "report_id" is not valid',
    );
    await sandbox.close();
  });

  it('are listed in a report without a field that the dictionary no longer has', async () => {
    const reports = [{ id: 7, title: 'Adults', fields: ['gone', 'age'], filterLogic: '[age] > 25' }];
    const sandbox = await startTestSandbox({ ...classicStudy(), reports });

    expect(await textOf(sandbox, { content: 'report', report_id: '7' })).to.equal('id,age\n2,30\nA-1,40\n');
    await sandbox.close();
  });
});

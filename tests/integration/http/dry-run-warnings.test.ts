import { expect } from 'chai';
import { say, type Sentence } from '../../../src/domain/errors/sentences.js';
import request from 'supertest';
import { createServiceClient } from '../../../src/client.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith, startService } from '../../support/start-service.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

const SETTINGS = { imports: { recordIdMinLength: 1 } };

/** A study whose records have names of their own. */
function named(study: Study): Study {
  const settings = { ...study.project.settings, record_autonumbering_enabled: 0 };
  return { ...study, project: { ...study.project, settings } };
}

/** Weight is required, and shown only above the age of 25. */
function strictStudy(study: Study = classicStudy()): Study {
  const rules = { isRequired: true, branchingLogic: '[age] > 25' };
  return {
    ...named(study),
    fields: study.fields.map((field) => (field.name === 'weight' ? { ...field, ...rules } : field)),
  };
}

describe('A dry run of an import', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(strictStudy(), SETTINGS);
  });
  after(() => service.close());
  const dryRun = async (records: object[], query = '') => {
    const { body } = await service.send('post', `/records?dryRun=true${query}`, { records }).expect(200);
    return body.data;
  };
  const warning = (row: number, line: number, record: string, rule: string, sentence: Sentence) => ({
    record,
    event: '',
    instrument: 'base',
    instance: null,
    field: 'weight',
    rule,
    ...sentence,
    row,
    line,
  });

  it('warns of values that branching logic hides, and of required fields that stay empty', async () => {
    const { count, warnings } = await dryRun([
      { id: 'new-1', age: 20, weight: 70 },
      { id: 'new-2', age: 30, weight: '' },
      { id: 'new-3', age: 30, weight: 70 },
    ]);

    expect(count).to.equal(3);
    expect(warnings).to.deep.equal({
      count: 2,
      rules: { hidden_value: 1, required_empty: 1, other_arm: 0, out_of_range: 0, invalid_value: 0 },
      first: [
        warning(1, 1, 'new-1', 'hidden_value', say('hidden')),
        warning(2, 1, 'new-2', 'required_empty', say('required_empty')),
      ],
    });
    expect(JSON.stringify(warnings)).to.not.include('70');
  });

  it('takes stored values into account: record 10 is 20 years old and has a weight', async () => {
    expect((await dryRun([{ id: '10', weight: '71' }])).warnings.rules).to.include({
      hidden_value: 1,
      required_empty: 0,
    });
    expect(await dryRun([{ id: '10', age: '30' }])).to.not.have.property('warnings');
    expect(await dryRun([{ id: '10', age: '30', weight: '' }])).to.not.have.property('warnings');
    const erasing = await dryRun([{ id: '10', age: '30', weight: '' }], '&overwriteBehavior=overwrite');
    expect(erasing.warnings.rules).to.include({ hidden_value: 0, required_empty: 1 });
  });

  it('warns for CSV and EAV too', async () => {
    const csv = await service
      .send('post', '/records?dryRun=true')
      .type('text/csv')
      .send('id,age,weight\nnew-1,20,70\n');
    const eav = await dryRun([{ record: '10', field_name: 'weight', value: '71' }], '&type=eav');

    expect(csv.body.data.warnings.count).to.equal(1);
    expect(eav.warnings.first).to.deep.equal([warning(1, 1, '10', 'hidden_value', say('hidden'))]);
  });

  it('gives the line of each row, in file order and across several calls', async () => {
    const other = await startStudyService(strictStudy(), {
      imports: { recordIdMinLength: 1, batchSize: 2 },
    });
    const lines = ['id,age,weight', 'new-1,20,70', '', 'new-2,30,70', '10,20,71', 'new-3,30,', 'new-1,21,'];
    const answer = await other.send('post', '/records?dryRun=true').type('text/csv').send(lines.join('\n'));
    await other.close();

    expect(
      answer.body.data.warnings.first.map(({ line, row, record, rule }: Record<string, unknown>) => [
        line,
        row,
        record,
        rule,
      ]),
    ).to.deep.equal([
      [2, 1, 'new-1', 'hidden_value'],
      [5, 3, '10', 'hidden_value'],
      [6, 4, 'new-3', 'required_empty'],
    ]);
  });

  it('gives the line of each value in EAV', async () => {
    const eav = ['new-1,age,20', 'new-1,sex,1', 'new-1,weight,70'];
    const { body } = await service
      .send('post', '/records?dryRun=true&type=eav')
      .type('text/csv')
      .send(`record,field_name,value\n${eav.join('\n')}\n`);

    expect(body.data.warnings.first[0]).to.include({ field: 'weight', line: 4, row: 3 });
  });

  it('does not warn of forms that the rows do not begin', async () => {
    expect(await dryRun([{ id: 'new-1', base_complete: '0', sites___1: '0', age: '' }])).to.not.have.property(
      'warnings',
    );
  });

  it('refuses what an import refuses', async () => {
    const { body } = await service
      .send('post', '/records?dryRun=true', { records: [{ id: 'new-1', sex: '7' }] })
      .expect(422);

    expect(body.code).to.equal('invalid_records');
  });

  it('stores nothing, warnings or not', async () => {
    const { body } = await service
      .send('post', '/records', { records: [{ id: 'new-9', age: 20, weight: 70 }] })
      .expect(200);

    expect(body.data).to.deep.equal({ count: 1, batches: 1 });
  });

  it('takes other events and instances into account, across calls', async () => {
    const study = longitudinalStudy();
    const rules: Record<string, object> = {
      pulse: { branchingLogic: '[start_arm_1][age] > 50' },
      drug: { isRequired: true },
    };
    const other = await startStudyService(
      { ...study, fields: study.fields.map((field) => ({ ...field, ...rules[field.name] })) },
      { imports: { recordIdMinLength: 1, batchSize: 1 } },
    );
    const at = (id: string, event: string, values: object) => ({ id, redcap_event_name: event, ...values });
    const meds = { redcap_repeat_instrument: 'meds', redcap_repeat_instance: 'new' };
    const { body } = await other.send('post', '/records?dryRun=true', {
      records: [
        at('A-1', 'end_arm_1', { pulse: 80 }),
        at('A-1', 'start_arm_1', { ...meds, drug: '', meds_complete: '2' }),
      ],
    });
    await other.close();

    expect(body.data.warnings.first).to.deep.equal([
      {
        record: 'A-1',
        event: 'end_arm_1',
        instrument: 'visit',
        instance: null,
        field: 'pulse',
        rule: 'hidden_value',
        ...say('hidden'),
        row: 1,
        line: 1,
      },
      {
        record: 'A-1',
        event: 'start_arm_1',
        instrument: 'meds',
        instance: 3,
        field: 'drug',
        rule: 'required_empty',
        ...say('required_empty'),
        row: 2,
        line: 1,
      },
    ]);
  });

  it('warns of rows that begin another arm for a stored record, on every surface', async () => {
    const arms = await startStudyService(named(armsStudy()), SETTINGS);
    const records = [
      { id: '1', redcap_event_name: 'start_arm_1', name: 'Ada' },
      { id: '1', redcap_event_name: 'start_arm_2', name: 'Ada' },
      { id: '1', redcap_event_name: 'start_arm_2', alive: '1' },
      { id: '2', redcap_event_name: 'start_arm_2', name: 'Bo' },
      { id: 'new-1', redcap_event_name: 'start_arm_1', name: 'Cy' },
      { id: 'new-1', redcap_event_name: 'start_arm_2', name: 'Cy' },
    ];
    const began = {
      record: '1',
      event: 'start_arm_2',
      instrument: '',
      instance: null,
      field: 'redcap_event_name',
      rule: 'other_arm',
      ...say('other_arm', { arm: 2, arms: [1] }),
      row: 2,
      line: 1,
    };
    const dry = await arms.send('post', '/records?dryRun=true', { records }).expect(200);
    const diff = await arms.send('post', '/records?dryRun=true&changes=true', { records }).expect(200);
    const own = await arms.client.importRecords(records, { dryRun: true, recordIdMinLength: 1 });
    const remote = createServiceClient({
      baseUrl: arms.url,
      apiKey: arms.authorization.replace('Bearer ', ''),
    });
    const answer = await remote.POST('/api/v1/records', {
      params: { query: { dryRun: true } },
      body: { records },
    });
    await arms.send('post', '/records', { records: records.slice(1, 2) }).expect(200);
    const again = await arms.send('post', '/records?dryRun=true', { records }).expect(200);
    await arms.close();

    expect(dry.body.data.warnings.first).to.deep.equal([began]);
    expect(dry.body.data.warnings.rules).to.include({ other_arm: 1, hidden_value: 0 });
    for (const { warnings } of [diff.body.data, own, answer.data?.data ?? {}])
      expect(warnings).to.deep.equal(dry.body.data.warnings);
    expect(again.body.data).to.not.have.property('warnings');
  });

  it('reveals nothing stored to a caller who may not read records', async () => {
    const { authorization, apiKey } = keyWith('records:write');
    const sandbox = await startTestSandbox(strictStudy());
    const closed = await startService({
      ...SETTINGS,
      capture: createCrfClient({ url: sandbox.url, token: sandbox.token }),
      access: { apiKeys: [apiKey] },
    });
    const { body } = await request(closed.server)
      .post('/api/v1/records?dryRun=true')
      .set('Authorization', authorization)
      .send({ records: [{ id: '10', weight: '71' }] });
    await closed.close();
    await sandbox.close();

    expect(body.data).to.deep.equal({ count: 1, batches: 1, dryRun: true });
  });
});

import { expect } from 'chai';
import { say } from '../../../src/domain/errors/sentences.js';
import request from 'supertest';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService } from '../../support/study-service.js';

describe('GET /api/v1/project/quality', () => {
  let service: TestService;
  let close: () => Promise<void>;
  const get = (query: string, accept = 'application/json') =>
    request(service.server)
      .get(`/api/v1/project/quality${query}`)
      .set('Authorization', service.authorization)
      .set('Accept', accept);

  before(async () => {
    const study = classicStudy();
    const sandbox = await startTestSandbox({
      ...study,
      fields: study.fields.map((field) =>
        field.name === 'weight' ? { ...field, isRequired: true, branchingLogic: '[age] > 25' } : field,
      ),
      rows: [...study.rows, { id: '7', age: '120', twice: '240', base_complete: '1' }],
    });
    const capture = createCrfClient({ url: sandbox.url, token: sandbox.token });
    service = await startService({ capture });
    close = async () => {
      await service.close();
      await sandbox.close();
    };
  });
  after(() => close());

  it('says once of a formula with today that its stored values are not compared', async () => {
    const study = classicStudy();
    const formula = "datediff([born], 'today', 'd')";
    const fields = study.fields.map((field) =>
      field.name === 'twice' ? { ...field, choicesOrCalculations: formula } : field,
    );
    const rows = ['1', '2', '3'].map((id) => ({ id, born: '1996-02-28', twice: '7', base_complete: '2' }));
    const old = await startStudyService({ ...study, fields, rows, hasStoredCalculations: true });
    const { body } = await old.send('get', '/project/quality?rules=stale_calculation,not_checked');
    await old.close();

    expect(body.summary).to.deep.include({ records: 3, findings: 1 });
    expect(body.data[0]).to.include({ record: '', field: 'twice', rule: 'not_checked' });
    expect(body.data[0].message).to.match(/^has a calculation with today or now/);
  });

  it('lists violated rules, without values', async () => {
    const { status, body } = await get('?rules=out_of_range,hidden_value');

    expect(status).to.equal(200);
    expect(body.data).to.have.deep.members([
      {
        record: '7',
        event: '',
        instrument: 'base',
        instance: null,
        field: 'age',
        rule: 'out_of_range',
        ...say('from_to', { minimum: '0', maximum: '99' }),
      },
      {
        record: '10',
        event: '',
        instrument: 'base',
        instance: null,
        field: 'weight',
        rule: 'hidden_value',
        ...say('hidden_value'),
      },
    ]);
  });

  it('counts the findings by rule, including rules without findings', async () => {
    const { body } = await get('?rules=out_of_range,hidden_value,invalid_value');

    expect(body.summary).to.deep.equal({
      records: 4,
      findings: 2,
      rules: { out_of_range: 1, hidden_value: 1, invalid_value: 0 },
    });
  });

  it('returns the same in batches of one record', async () => {
    const [whole, single] = await Promise.all([get(''), get('?batchSize=1')]);

    expect(whole.body.data).to.not.be.empty;
    expect(single.body).to.deep.equal(whole.body);
  });

  it('returns CSV and NDJSON, with a trailer on request', async () => {
    const csv = await get('?rules=out_of_range', 'text/csv');
    const ndjson = await get('?rules=out_of_range&trailer=true', 'application/x-ndjson').buffer(true);

    expect(csv.text).to.equal(
      'record,event,instrument,instance,field,rule,message\n7,,base,,age,out_of_range,"must be from 0 to 99"\n',
    );
    expect(ndjson.text.trim().split('\n')[1]).to.equal(
      '{"_complete":true,"records":1,"summary":{"records":4,"findings":1,"rules":{"out_of_range":1}}}',
    );
  });

  it('checks only the given records and instruments', async () => {
    const { body } = await get('?records=2&forms=base');
    const unknown = await get('?forms=nothing');

    expect(body.data.map(({ record }: { record: string }) => record)).to.satisfy((ids: string[]) =>
      ids.every((id) => id === '2'),
    );
    expect(unknown.status).to.equal(400);
    expect(unknown.body.errors[0].field).to.equal('forms');
  });

  it('reports only what was entered or changed since a day, and needs the scope of the log for it', async () => {
    const study = classicStudy();
    const [all, few] = [keyWith(...SCOPES), keyWith('project:read', 'records:read')];
    const access = { apiKeys: [all.apiKey, { ...few.apiKey, name: 'few' }] };
    const rows = [...study.rows, { id: '7', age: '120', base_complete: '1' }];
    const changing = await startStudyService({ ...study, rows }, { access });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const ask = (since: string, { authorization } = all) =>
      changing
        .send('get', `/project/quality?rules=out_of_range&from=${since}`)
        .set('Authorization', authorization);
    await changing
      .send('post', '/records', [{ id: '8', age: '130', base_complete: '1' }])
      .set('Authorization', all.authorization)
      .expect(200);
    const [found, none, invalid, refused] = await Promise.all([
      ask(yesterday),
      ask('2126-01-01'),
      ask('2026-02-30'),
      ask(yesterday, few),
    ]);
    await changing.close();

    expect(found.body.data.map(({ record }: { record: string }) => record)).to.deep.equal(['8']);
    expect(found.body.summary).to.deep.include({ records: 1, findings: 1 });
    expect(none.body.summary).to.deep.include({ records: 0, findings: 0 });
    expect([invalid.status, invalid.body.errors[0].field]).to.deep.equal([400, 'from']);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'insufficient_scope']);
  });
});

import { expect } from 'chai';
import request from 'supertest';
import { createServiceClient } from '../../../src/service.js';
import { defineInstrument } from '../../support/define-instrument.js';
import { groupsStudy } from '../../support/groups-study.js';
import { keyWith } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

const SETTINGS = { imports: { recordIdMinLength: 1 } };
const STORED = [
  { id: '001', age: '40', weight: '1.50' },
  { id: '002', age: '41', weight: '70' },
];
const ROWS = [
  { id: '001', age: '40', weight: '1.5' },
  { id: '002', age: '', weight: '71' },
  { id: '1', age: '42', weight: '' },
];
const DRY = { dryRun: true, changes: true, overwriteBehavior: 'overwrite' } as const;

describe('The changes of an import', () => {
  let service: StudyService;
  const writer = keyWith('records:write');
  const all = keyWith('records:read', 'records:write');

  before(async () => {
    const access = { apiKeys: [writer.apiKey, all.apiKey] };
    service = await startStudyService({ ...classicStudy(), rows: STORED }, { ...SETTINGS, access });
  });
  after(() => service.close());

  const post = (query: string, records: readonly object[], { authorization } = all) =>
    request(service.server)
      .post(`/api/v1/records?${query}`)
      .set('Authorization', authorization)
      .send({ records });

  for (const [what, record] of [
    ['a character that nobody sees', 'A-1\u200b'],
    ['another dash', 'A\u20131'],
    ['a hyphen that does not break', 'A\u20111'],
  ])
    it(`name the stored record that an id with ${what} is meant for`, async () => {
      await service.client.importRecords([{ id: 'A-01', age: '30' }], { recordIdMinLength: 1 });
      const { body } = await post('dryRun=true&changes=true', [{ id: record, age: '31' }]).expect(200);
      await service.client.records.delete(['A-01']);

      const { first } = body.data.changes.lookalikes as { first: { stored: string }[] };
      expect(first.map(({ stored }) => stored)).to.deep.equal(['A-01']);
    });

  it('count a text of blanks as an erasure, with and without overwrite', async () => {
    const fields = defineInstrument('base', [
      { name: 'id', type: 'text', label: 'Id' },
      { name: 'note', type: 'notes', label: 'Note' },
    ]);
    const rows = [{ id: 'A-1', note: 'kept' }];
    const notes = await startStudyService({ ...classicStudy(), fields, rows }, SETTINGS);
    const ways: unknown[] = [];
    for (const way of ['normal', 'overwrite']) {
      const records = [{ id: 'A-1', note: '\u00a0 ' }];
      const query = `dryRun=true&changes=true&overwriteBehavior=${way}`;
      const { body } = await notes.send('post', `/records?${query}`, { records });
      ways.push(body.data?.changes);
    }
    await notes.close();

    const erased = { values: { set: 0, changed: 0, erased: 1 }, erasing: ['note'] };
    for (const changes of ways) expect(changes).to.deep.include(erased);
  });

  it('IN-13: are the same through REST, the client and the client of the service', async () => {
    const { body } = await post('dryRun=true&changes=true&overwriteBehavior=overwrite', ROWS).expect(200);
    const { changes } = body.data;

    expect(changes).to.deep.include({
      records: { new: 1, changed: 1, unchanged: 1 },
      values: { set: 0, changed: 1, erased: 1 },
      dags: 0,
      erasing: ['age'],
      unreadable: [],
      lookalikes: { count: 1, first: [{ record: '1', stored: '001', row: 3, line: 1 }] },
    });
    const named = (changes.first as Record<string, unknown>[]).map(({ row, field, kind, old, new: now }) => [
      row,
      field,
      kind,
      old,
      now,
    ]);
    expect(named).to.deep.equal([
      [2, 'age', 'erased', '41', ''],
      [2, 'weight', 'changed', '70', '71'],
      [3, 'id', 'new', '', '1'],
    ]);
    const own = await service.client.importRecords(ROWS, { ...DRY, recordIdMinLength: 1 });
    expect(own.changes).to.deep.equal(changes);
    const remote = createServiceClient({
      baseUrl: service.url,
      apiKey: all.authorization.replace('Bearer ', ''),
    });
    const answer = await remote.POST('/api/v1/records', {
      params: { query: DRY },
      body: { records: ROWS },
    });
    expect(answer.data?.data.changes).to.deep.equal(changes);
    expect(await service.client.exportRecords({ fields: ['id'] })).to.have.length(2);
  });

  it('cannot be combined with numbering by REDCap', async () => {
    for (const [query, message] of [
      ['changes=true&dryRun=true&forceAutoNumber=true', 'cannot be combined with forceAutoNumber'],
      ['only=existing&forceAutoNumber=true', 'cannot be combined with forceAutoNumber'],
    ] as const) {
      const { body } = await post(query, ROWS).expect(400);
      expect(body.errors[0].message).to.include(message);
    }
  });

  it('are refused to a caller who may not read records, since they have stored values', async () => {
    const { body } = await post('dryRun=true&changes=true', ROWS, writer).expect(403);
    // A request id may have any digits.
    const { instance: _requestId, ...told } = body as Record<string, unknown>;

    expect(told['code']).to.equal('insufficient_scope');
    expect(JSON.stringify(told)).to.not.include('70');
    await post('dryRun=true', ROWS, writer).expect(200);
  });

  it('IN-14: are none of a record that `only` refuses, in CSV and JSON', async () => {
    const existing = await post('only=existing', ROWS).expect(422);
    const created = await post('only=new', ROWS).expect(422);
    const csv = await request(service.server)
      .post('/api/v1/records?only=existing')
      .set('Authorization', all.authorization)
      .type('text/csv')
      .send('id,age\n001,40\n1,42\n')
      .expect(422);

    const places = (body: { errors: Record<string, unknown>[] }) =>
      body.errors.map(({ row, field, message }) => [row, field, message]);
    expect(places(existing.body)).to.deep.equal([[3, 'id', 'must be a record that the project has']]);
    expect(places(csv.body)).to.deep.equal([[2, 'id', 'must be a record that the project has']]);
    expect(places(created.body)).to.deep.equal([
      [1, 'id', 'must not be a record that the project has'],
      [2, 'id', 'must not be a record that the project has'],
    ]);
    expect(await service.client.exportRecords({ fields: ['id'] })).to.have.length(2);
    await post('only=existing&dryRun=true', ROWS.slice(0, 2)).expect(200);
    await post('only=new&dryRun=true', ROWS.slice(2)).expect(200);
  });

  it('include the group of a record', async () => {
    const groups = await startStudyService(groupsStudy(), SETTINGS);
    const records = [{ id: 'N-1', redcap_event_name: 'start_arm_1', redcap_data_access_group: 'south' }];
    const { body } = await groups.send('post', '/records?dryRun=true&changes=true', { records });
    await groups.close();

    expect(body.data.changes).to.deep.include({ dags: 1, records: { new: 0, changed: 1, unchanged: 0 } });
    expect(body.data.changes.first).to.deep.equal([
      {
        ...{ record: 'N-1', event: '', instance: null, field: 'redcap_data_access_group', kind: 'changed' },
        ...{ old: 'north', new: 'south', row: 1, line: 1 },
      },
    ]);
  });
});

import { expect } from 'chai';
import request from 'supertest';
import { createServiceClient } from '../../../src/service.js';
import { keyWith } from '../../support/start-service.js';
import { delayExports, storeBadly } from '../../support/storage-faults.js';
import { classicStudy, longitudinalStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

const STORED = [
  { id: '1', age: '40', weight: '1.50', sex: '1' },
  { id: '2', age: '41', weight: '70', sex: '2' },
];
const ROWS = [
  { id: '1', age: '40', weight: '1.5', sex: '2' },
  { id: '2', age: '42', weight: '', sex: '2' },
  { id: '3', age: '43', weight: '71.25', sex: '' },
];
const WAYS = { overwriteBehavior: 'overwrite' } as const;

describe('A verified import', () => {
  let service: StudyService;
  const writer = keyWith('records:write');
  const all = keyWith('records:read', 'records:write');

  // Without a grace for late replicas, except where one is late.
  const start = async (graceMs = 0): Promise<void> => {
    service = await startStudyService(
      { ...classicStudy(), rows: STORED },
      {
        imports: { recordIdMinLength: 1, batchSize: 2, graceMs },
        access: { apiKeys: [writer.apiKey, all.apiKey] },
      },
    );
  };
  beforeEach(() => start());
  afterEach(() => service.close());

  const post = (query: string, records: readonly object[] = ROWS, { authorization } = all) =>
    request(service.server)
      .post(`/api/v1/records?${query}`)
      .set('Authorization', authorization)
      .send({ records });
  const stored = async (id: string): Promise<object | undefined> =>
    (await service.client.exportRecords({ records: [id], fields: ['age', 'weight', 'sex'] }))[0];

  it('IN-15: says that every value is stored, through REST and both clients', async () => {
    const everything = { stored: 9, differs: 0, absent: 0, unreadable: [], first: [] };
    const { body } = await post('verify=true&overwriteBehavior=overwrite').expect(200);
    expect(body.data).to.deep.include({ count: 3, verified: everything });

    const own = await service.client.importRecords(ROWS, { ...WAYS, verify: true, recordIdMinLength: 1 });
    expect(own.verified).to.deep.equal(everything);
    const remote = createServiceClient({
      baseUrl: service.url,
      apiKey: all.authorization.replace('Bearer ', ''),
    });
    const answer = await remote.POST('/api/v1/records', {
      params: { query: { ...WAYS, verify: true } },
      body: { records: ROWS },
    });
    expect(answer.data?.data.verified).to.deep.equal(everything);
  });

  it('counts a value once that two rows give', async () => {
    const row = { id: '1', age: '44', weight: '1.50' };
    const others = [
      { id: '2', age: '41' },
      { id: '3', age: '43' },
    ];
    const { body } = await post('verify=true', [...others, row, row]).expect(200);

    expect(body.data.verified).to.include({ stored: 4, differs: 0, absent: 0 });
  });

  it('lists a value that was silently not stored, and one that was cut off, with what is there', async () => {
    storeBadly(service.project.records, { lost: 'weight', maxLength: 1 });
    const { body } = await post('verify=true&overwriteBehavior=overwrite').expect(200);

    const { verified } = body.data;
    expect(verified).to.include({ stored: 4, differs: 4, absent: 1 });
    expect(
      verified.first.map(({ row, field, kind, sent, stored: found }: Record<string, unknown>) => [
        row,
        field,
        kind,
        sent,
        found,
      ]),
    ).to.deep.equal([
      [1, 'age', 'differs', '40', '4'],
      [2, 'age', 'differs', '42', '4'],
      [2, 'weight', 'differs', '', '70'],
      [3, 'age', 'differs', '43', '4'],
      [3, 'weight', 'absent', '71.25', ''],
    ]);
  });

  it('waits for a replica that is late', async () => {
    await service.close();
    await start(60_000);
    delayExports(service.project.records, 2);
    const { body } = await post('verify=true').expect(200);

    expect(body.data.verified).to.include({ stored: 7, differs: 0, absent: 0 });
  });

  it('is refused, as changes are, before anything is stored, where REDCap answers hashed ids', async () => {
    await service.close();
    const { users, ...study } = classicStudy();
    const formRights = { forms: {}, formsExport: { base: 2 } };
    service = await startStudyService(
      { ...study, users: users.map((user) => ({ ...user, formRights })), rows: STORED },
      { imports: { recordIdMinLength: 1, graceMs: 0 }, access: { apiKeys: [all.apiKey] } },
    );
    for (const [option, query] of [
      ['verify', 'verify=true'],
      ['changes', 'changes=true'],
      ['changes', 'dryRun=true&changes=true'],
    ] as const) {
      const { body } = await post(query).expect(400);
      expect(body).to.deep.include({ code: 'invalid_request' });
      expect(body.errors).to.have.length(1);
      expect(body.errors[0]).to.include({ field: option });
      expect(body.errors[0].message).to.include('hashed record ids');
    }
    await post('dryRun=true').expect(200);
    expect(service.project.records.ids).to.deep.equal(['1', '2']);
    await post('').expect(200);
    expect(service.project.records.ids).to.deep.equal(['1', '2', '3']);
  });

  it('finds the instance that REDCap chose, and misses one that it did not store beside an equal one', async () => {
    const visits = await startStudyService(longitudinalStudy(), {
      imports: { graceMs: 0, recordIdMinLength: 1 },
    });
    const drug = (name: string) => ({
      ...{ id: 'A-1', redcap_event_name: 'start_arm_1', drug: name },
      ...{ redcap_repeat_instrument: 'meds', redcap_repeat_instance: 'new' },
    });
    const good = await visits.send('post', '/records?verify=true', { records: [drug('drug x'), drug('z')] });
    storeBadly(visits.project.records, { lost: 'drug' });
    const bad = await visits.send('post', '/records?verify=true', { records: [drug('drug x')] });
    await visits.close();

    expect(good.body.data.verified).to.include({ stored: 2, differs: 0, absent: 0 });
    expect(bad.body.data.verified).to.include({ stored: 0, differs: 0, absent: 1 });
  });

  it('sends only what changes, with `changes`', async () => {
    const { body } = await post('changes=true&verify=true&overwriteBehavior=overwrite').expect(200);

    expect(body.data).to.deep.include({ count: 3, batches: 2 });
    expect(body.data.changes).to.deep.include({
      records: { new: 1, changed: 2, unchanged: 0 },
      values: { set: 0, changed: 2, erased: 1 },
    });
    // Only the values that were sent are read back.
    expect(body.data.verified).to.deep.include({ stored: 6, differs: 0, absent: 0 });
    expect(await stored('1')).to.deep.equal({ age: '40', weight: '1.50', sex: '2' });
    expect(await stored('2')).to.deep.equal({ age: '42', weight: '', sex: '2' });

    const again = await post('changes=true&verify=true&overwriteBehavior=overwrite').expect(200);
    expect(again.body.data).to.deep.include({ count: 0, batches: 0 });
    expect(again.body.data.changes).to.deep.include({ records: { new: 0, changed: 0, unchanged: 3 } });
  });

  it('repeats the counts to the same request, and no value', async () => {
    const once = () => post('changes=true&verify=true').set('Idempotency-Key', 'verified-import-0001');
    const first = await once().expect(200);
    const again = await once().expect(200);

    expect(again.headers['idempotent-replayed'] ?? again.headers['idempotency-replayed']).to.equal('true');
    const { verified, changes } = first.body.data;
    expect(again.body.data.verified).to.deep.equal({ ...verified, first: [] });
    expect(again.body.data.changes).to.deep.equal({ ...changes, first: [] });
  });

  it('is refused to a caller who may not read, and where nothing is stored yet', async () => {
    const { body } = await post('verify=true', ROWS, writer).expect(403);
    expect(body.code).to.equal('insufficient_scope');
    for (const query of [
      'verify=true&dryRun=true',
      'verify=true&forceAutoNumber=true',
      'verify=true&backgroundProcess=true',
    ])
      await post(query).expect(400);
    expect(await stored('3')).to.equal(undefined);
  });

  it('stores nothing where a form is locked, and lists the values', async () => {
    service.project.records.lock('2', 'base');
    const { body } = await post('verify=true', ROWS.slice(0, 2)).expect(422);

    expect(body.errors[0]).to.include({
      record: '2',
      message: 'belongs to a locked instrument: unlock it in REDCap first',
    });
    expect(await stored('1')).to.include({ sex: '1' });
  });
});

import { expect } from 'chai';
import request from 'supertest';
import { createServiceClient } from '../../../src/service.js';
import { keyWith } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('A change of a record', () => {
  let service: StudyService;
  const reader = keyWith('records:read');
  const writer = keyWith('records:write');
  const all = keyWith('records:read', 'records:write');

  beforeEach(async () => {
    service = await startStudyService(classicStudy(), {
      imports: { recordIdMinLength: 1 },
      access: { apiKeys: [reader.apiKey, writer.apiKey, all.apiKey] },
    });
  });
  afterEach(() => service.close());

  const get = (path = '/records/10') =>
    request(service.server).get(`/api/v1${path}`).set('Authorization', all.authorization);
  const patch = (
    rows: readonly object[],
    ifMatch?: string,
    { authorization }: { readonly authorization: string } = all,
  ) => {
    const call = request(service.server).patch('/api/v1/records/10').set('Authorization', authorization);
    return (ifMatch === undefined ? call : call.set('If-Match', ifMatch)).send({ rows });
  };
  const stored = async () =>
    (await service.client.exportRecords({ records: ['10'], fields: ['age', 'weight', 'sex'] }))[0];

  it('IN-18: is made if the record is still what was read, and only then', async () => {
    const { etag = '' } = (await get().expect(200)).headers;
    expect(etag).to.match(/^"[\w-]{22}"$/);
    const { body } = await patch([{ age: 21, weight: null, sex: '1' }], etag).expect(200);

    expect(body.data).to.deep.include({ count: 1, batches: 1 });
    expect(body.data.changes.values).to.deep.equal({ set: 0, changed: 1, erased: 1 });
    expect(await stored()).to.deep.equal({ age: '21', weight: '', sex: '1' });
    const refused = await patch([{ age: '22' }], etag).expect(412);
    expect(refused.body.code).to.equal('precondition_failed');
    expect(await stored()).to.include({ age: '21' });
    const { etag: now = '' } = (await get()).headers;
    await patch([{ age: '22' }], `"another-tag-of-a-reader", ${now}`).expect(200);
    await patch([{ age: '23' }], '*').expect(200);
    await patch([{ id: '10', age: '24' }]).expect(200);
    expect(await stored()).to.include({ age: '24' });
  });

  it('is made by one of two authors who have read the same record', async () => {
    const { etag = '' } = (await get()).headers;
    const answers = await Promise.all(['31', '32', '33'].map((age) => patch([{ age }], etag)));

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 412, 412]);
  });

  it('IN-21: merges with changes of other fields, or leaves out those of the same ones', async () => {
    const { headers, body } = await get();
    const { etag = '' } = headers;
    const seen: Record<string, string>[] = body.data;
    const mine = [{ age: '21', sex: '1' }];
    const send = (onConflict: string, rows: readonly object[], more: object = { seen }) =>
      request(service.server)
        .patch(`/api/v1/records/10?onConflict=${onConflict}`)
        .set('Authorization', all.authorization)
        .set('If-Match', etag)
        .send({ rows, ...more });

    await patch([{ weight: '70' }]).expect(200);
    await patch(mine, etag).expect(412);
    expect((await send('fields', mine).expect(200)).body.data).to.not.have.property('conflicts');
    expect(await stored()).to.deep.equal({ age: '21', weight: '70', sex: '1' });

    const refused = await send('fields', [{ age: '22', weight: '71' }]).expect(412);
    expect(refused.body.errors).to.deep.equal(
      ['age', 'weight'].map((field) => ({
        ...{ record: '10', field, row: 1, message: 'has another value than the one that was read' },
      })),
    );
    expect(await stored()).to.deep.equal({ age: '21', weight: '70', sex: '1' });
    const { data } = (await send('theirs', [{ age: '22', sites___2: '1' }]).expect(200)).body;
    expect(data.conflicts.first[0]).to.include({ field: 'age', old: '21', new: '22' });
    expect(data.changes.first).to.have.lengthOf(1);
    expect(await stored()).to.include({ age: '21' });
    await send('ours', [{ age: '23' }], {}).expect(200);
    expect(await stored()).to.include({ age: '23' });

    const rules: [string, object, string][] = [
      ['fields', {}, 'is needed for onConflict=fields: the rows as they were read'],
      ['theirs', {}, 'is needed for onConflict=theirs: the rows as they were read'],
      ['ours', { seen }, 'is for onConflict=fields and onConflict=theirs only'],
      ['fields', { seen: [{ sex: '1' }] }, 'must be a column of seen too'],
      ['fields', { seen: [{ id: '2', age: '1' }] }, 'must be the record of the URL, or left out'],
      ['fields', { seen: [{ age: [] }] }, 'must be text, a number, true, false or null'],
    ];
    for (const [onConflict, more, message] of rules)
      expect((await send(onConflict, [{ age: '9' }], more).expect(400)).body.errors[0].message).to.equal(
        message,
      );
  });

  it('HDR-03: is about a version that nobody can compute, and that no cache keeps', async () => {
    const { headers } = await get();
    expect(headers['cache-control']).to.equal('no-store');
    const again = await get().set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect(again.headers).to.include({ etag: headers['etag'], 'cache-control': 'no-store' });
    await patch([{ age: '21' }]).expect(200);
    await get()
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(200);
    const { headers: changed } = await get();
    for (const path of ['/records/10?fields=age', '/records/10?shape=nested', '/records?records=10'])
      expect((await get(path).expect(200)).headers).to.not.have.property('etag');

    const other = await startStudyService(classicStudy(), { cursorKey: Buffer.alloc(32, 7) });
    const { headers: elsewhere } = await other.send('get', '/records/10');
    await other.close();
    expect(elsewhere['etag'])
      .to.match(/^"[\w-]{22}"$/)
      .and.to.not.equal(changed['etag']);
  });

  it('needs an existing record, its own rows, valid values, and both scopes', async () => {
    const { etag = '' } = (await get()).headers;
    for (const { authorization } of [reader, writer])
      await patch([{ age: '1' }], etag, { authorization }).expect(403);
    const none = await request(service.server)
      .patch('/api/v1/records/none')
      .set('Authorization', all.authorization)
      .send({ rows: [{ age: '1' }] });
    expect(none.status).to.equal(404);
    expect((await patch([{ id: '2', age: '1' }])).body.errors).to.deep.equal([
      { field: 'rows[0].id', message: 'must be the record of the URL, or left out' },
    ]);
    expect((await patch([{ age: 'old' }])).body.code).to.equal('invalid_records');
    expect((await patch([{ age: { $ne: 1 } }])).body.errors[0].message).to.include('must be text, a number');
    expect((await patch([])).status).to.equal(400);
    expect((await get()).headers['etag']).to.equal(etag);
  });

  it('is available to the client of the service, and is read back', async () => {
    const remote = createServiceClient({
      baseUrl: service.url,
      apiKey: all.authorization.replace('Bearer ', ''),
    });
    const path = { record: '10' };
    const read = await remote.GET('/api/v1/records/{record}', { params: { path } });
    const changed = await remote.PATCH('/api/v1/records/{record}', {
      params: {
        path,
        query: { verify: true },
        header: { 'If-Match': read.response.headers.get('etag') ?? '' },
      },
      body: { rows: [{ age: 44, sites___2: true }] },
    });

    expect(changed.data?.data.verified).to.include({ stored: 2, differs: 0, absent: 0 });
  });
});

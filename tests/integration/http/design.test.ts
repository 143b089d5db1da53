import { expect } from 'chai';
import { longitudinalStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('The design of a project, over HTTP', () => {
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(longitudinalStudy());
  });
  afterEach(() => service.close());

  it('adds and deletes an arm and its events, with immediate effect', async () => {
    const { send } = service;
    await send('get', '/project/arms').expect(200, { data: [{ number: 1, name: 'Arm 1' }] });

    await send('put', '/project/arms', { data: [{ number: 2, name: 'Drug' }] }).expect(200, {
      data: { count: 1 },
    });
    await send('put', '/project/events', { data: [{ label: 'Visit', arm: 2 }] }).expect(200);

    const { body } = await send('get', '/project/events?arms=2').expect(200);
    const [{ id, ...visit }, ...others] = body.data;
    expect(id).to.be.a('number');
    expect([visit, ...others]).to.deep.equal([
      { label: 'Visit', arm: 2, uniqueName: 'visit_arm_2', customLabel: '' },
    ]);
    await send('delete', '/project/events/visit_arm_2').expect(200, { data: { count: 1 } });
    await send('delete', '/project/arms/2').expect(200, { data: { count: 1 } });
  });

  it('creates no duplicate event when the same list is sent twice', async () => {
    const { send } = service;
    const before = (await send('get', '/project/events')).body.data;
    const events = [{ label: 'Follow-up by phone', arm: 1 }];

    await send('put', '/project/events', { data: events }).expect(200);
    await send('put', '/project/events', { data: events }).expect(200);

    expect((await send('get', '/project/events')).body.data).to.have.length(before.length + 1);
  });

  it('refuses two new events that only their unique names could distinguish', async () => {
    const { send } = service;
    const event = { label: 'Visit', arm: 1 };

    const { status, body } = await send('put', '/project/events', { data: [event, event] });

    expect(status).to.equal(400);
    expect(body.errors).to.deep.equal([
      { field: 'data[1].uniqueName', message: 'is needed: others have the same label' },
    ]);
  });

  it('replaces the mappings and what repeats: what is not sent is gone', async () => {
    const { send } = service;
    const [mapping] = (await send('get', '/project/mappings')).body.data;
    const [repeating] = (await send('get', '/project/repeating')).body.data;

    await send('put', '/project/repeating', { data: [repeating] }).expect(200);
    await send('put', '/project/mappings', { data: [mapping] }).expect(200);

    expect((await send('get', '/project/repeating')).body.data).to.deep.equal([repeating]);
    expect((await send('get', '/project/mappings')).body.data).to.deep.equal([mapping]);
  });

  it('exports the dictionary as CSV that it can import', async () => {
    const { send } = service;
    const { text, headers } = await send('get', '/project/fields').set('Accept', 'text/csv').expect(200);
    const fields = (await send('get', '/project/fields')).body.data;

    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    await send('put', '/project/fields')
      .type('text/csv')
      .send(text)
      .expect(200, { data: { count: fields.length } });
    expect((await send('get', '/project/fields')).body.data).to.deep.equal(fields);
  });

  it('names the property of a field that breaks a rule, without its value', async () => {
    const fields = [{ name: 'Patient Zero', instrument: 'base', type: 'text', secret: 'SENTINEL' }];

    const { status, body, text } = await service.send('put', '/project/fields', { data: fields });

    expect(status).to.equal(400);
    expect(body.errors).to.deep.include({ field: 'data[0].name', message: 'must be a field name' });
    expect(text).to.not.include('Patient Zero').and.to.not.include('SENTINEL');
  });

  it('refuses a duplicate field', async () => {
    const field = { name: 'age', instrument: 'base', type: 'text' };

    const { body } = await service.send('put', '/project/fields', { data: [field, field] }).expect(400);

    expect(body.errors).to.deep.equal([
      { field: 'data[1].name', message: 'must not be that of an earlier field' },
    ]);
  });

  it('changes settings, with immediate effect', async () => {
    const { send } = service;
    await send('get', '/project/info').expect(200);

    await send('patch', '/project/info', { title: 'A new title', isLongitudinal: true }).expect(200, {
      data: { count: 2 },
    });

    expect((await send('get', '/project/info')).body.data).to.include({ title: 'A new title' });
  });

  for (const [path, body] of [
    ['/project/arms', { data: [] }],
    ['/project/arms?replace=true', { data: [] }],
    ['/project/events?replace=true', { data: [] }],
    ['/project/mappings', { data: [] }],
    ['/project/repeating', { data: [] }],
    ['/project/fields', { data: [] }],
    ['/project/dags', { data: [] }],
    ['/project/dag-assignments', { data: [] }],
    ['/project/users', { data: [] }],
    ['/project/roles', { data: [] }],
    ['/project/role-assignments', { data: [] }],
  ] as const) {
    it(`refuses an empty list at PUT ${path}, which could mean deleting everything`, async () => {
      const { status, body: problem } = await service.send('put', path, body);

      expect({ status, code: problem.code }).to.deep.equal({ status: 400, code: 'invalid_request' });
    });
  }

  it('lists the text validations', async () => {
    const { body } = await service.send('get', '/project/field-validations').expect(200);

    expect((body.data as { name: string }[]).map(({ name }) => name)).to.include('integer');
  });

  it('refuses an empty change of settings', async () => {
    await service.send('patch', '/project/info', {}).expect(400);
  });
});

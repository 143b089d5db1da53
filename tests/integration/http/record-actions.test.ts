import { expect } from 'chai';
import { classicStudy, longitudinalStudy, randomizedStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('Actions on single records, over HTTP', () => {
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(classicStudy(), { imports: { recordIdMinLength: 3 } });
  });
  afterEach(() => service.close());

  const ids = async (): Promise<string[]> =>
    ((await service.send('get', '/records?fields=id')).body as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    );

  it('read the rows of a record in the requested format', async () => {
    const { body } = await service.send('get', '/records/A-1?fields=id,sex&rawOrLabel=label').expect(200);

    expect(body.data).to.have.length(1);
    expect(body.data[0].id).to.equal('A-1');
    expect(body.data[0].sex).to.be.a('string').and.not.equal('2');
  });

  it('distinguish an unknown record from one without rows in the selection', async () => {
    const longitudinal = await startStudyService(longitudinalStudy());
    const { send } = longitudinal;

    expect((await send('get', '/records/A-1?events=end_arm_1').expect(200)).body.data).to.have.length(1);
    await send('get', '/records/A-1?events=start_arm_1&forms=meds').expect(200);
    expect((await send('get', '/records/A-2').expect(404)).body).to.include({ code: 'record_not_found' });
    await longitudinal.close();
  });

  it('delete a record once', async () => {
    await service.send('delete', '/records/10').expect(200, { data: { count: 1 } });

    expect(await ids()).to.not.include('10');
    const { body } = await service.send('delete', '/records/10').expect(404);
    expect(body).to.include({ code: 'record_not_found' }).and.not.to.have.property('errors');
  });

  it('delete only an event or an instance of a record', async () => {
    const longitudinal = await startStudyService(longitudinalStudy());
    const { send } = longitudinal;
    const rows = async () => (await send('get', '/records/A-1')).body.data as Record<string, unknown>[];
    const before = (await rows()).length;

    await send('delete', '/records/A-1?event=start_arm_1&instrument=meds&instance=2').expect(200);
    expect(await rows()).to.have.length(before - 1);
    await send('delete', '/records/A-1?event=end_arm_1').expect(200);
    expect((await rows()).map(({ redcap_event_name: event }) => event)).to.not.include('end_arm_1');
    await longitudinal.close();
  });

  it('delete none of many if one does not exist, and name it', async () => {
    const { body } = await service
      .send('post', '/records/delete', { records: ['10', 'no-such', '2'] })
      .expect(404);

    expect(body.errors).to.deep.equal([{ field: 'records[1]', message: 'is not a record of this project' }]);
    expect(await ids()).to.have.members(['2', '10', 'A-1']);
  });

  for (const [what, body] of [
    ['an empty list', { records: [] }],
    ['no list', {}],
    ['a list of a blank', { records: [' '] }],
  ] as const) {
    it(`delete nothing with ${what}`, async () => {
      await service.send('post', '/records/delete', body).expect(400);

      expect(await ids()).to.have.length(3);
    });
  }

  it('repeat the answer to a deletion with an Idempotency-Key, and refuse the key for another', async () => {
    const remove = (records: string[]) =>
      service.send('post', '/records/delete', { records }).set('Idempotency-Key', 'once');

    await remove(['10']).expect(200, { data: { count: 1 } });
    await remove(['10']).expect(200, { data: { count: 1 } });
    expect((await remove(['2']).expect(422)).body.code).to.equal('idempotency_key_reused');
    expect(await ids()).to.have.members(['2', 'A-1']);
  });

  it('release the key if the deletion fails', async () => {
    const remove = (records: string[]) =>
      service.send('post', '/records/delete', { records }).set('Idempotency-Key', 'again');

    await remove(['no-such']).expect(404);
    await remove(['10']).expect(200, { data: { count: 1 } });
  });

  it('rename a record once per Idempotency-Key, to a valid new id', async () => {
    const rename = (newRecord: string, key: string) =>
      service.send('post', '/records/10/rename', { newRecord }).set('Idempotency-Key', key);

    expect((await rename('B2 ', 'short').expect(400)).body.code).to.equal('invalid_request');
    await rename('B-10', 'k1').expect(200, { data: { record: 'B-10' } });
    await rename('B-10', 'k1').expect(200, { data: { record: 'B-10' } });
    expect((await rename('B-10', 'k2').expect(404)).body.code).to.equal('record_not_found');
    expect(await ids()).to.have.members(['2', 'A-1', 'B-10']);
  });

  it('IN-11: rename to a short id only where REDCap numbers the records, and name the setting', async () => {
    const classic = classicStudy();
    const settings = { record_autonumbering_enabled: 0 };
    const invented = await startStudyService({ ...classic, project: { ...classic.project, settings } });
    const rename = ({ send }: StudyService) => send('post', '/records/10/rename', { newRecord: '7' });

    const { body } = await rename(invented).expect(400);
    await invented.close();
    await rename(service).expect(200);

    expect(body.code).to.equal('invalid_identifier');
    expect(body.detail).to.include('RECORD_ID_MIN_LENGTH');
  });

  it('read a record whose name is also a route or a path, in the list', async () => {
    for (const name of ['.', '..', 'next-id', 'manifest', 'query']) {
      await service.send('post', '/records', { records: [{ id: name, age: '30' }] }).expect(200);
      const rows = { data: [{ id: name, age: '30' }] };

      await service.send('get', `/records?records=${name}&fields=id,age`).expect(200, rows);
      await service
        .send('post', '/records/query', { records: [name], fields: ['id', 'age'] })
        .expect(200, rows);
      await service.send('post', '/records/delete', { records: [name] }).expect(200, { data: { count: 1 } });
    }
  });

  it('suggest the id of the next record', async () => {
    await service.send('get', '/records/next-id').expect(200, { data: { record: '11' } });
  });

  it('export by a query in the body in the requested format, and refuse an empty list', async () => {
    const { text } = await service
      .send('post', '/records/query', { fields: ['id', 'age'], filterLogic: '[age] >= 30' })
      .set('Accept', 'text/csv')
      .expect(200);

    expect(text.trim().split('\n')).to.deep.equal(['id,age', '2,30', 'A-1,40']);
    for (const empty of [{ records: [] }, { fields: [] }, { filterLogic: ' ' }]) {
      expect((await service.send('post', '/records/query', empty).expect(400)).body.code).to.equal(
        'invalid_request',
      );
    }
  });
});

describe('POST /api/v1/records/{record}/randomize', () => {
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(randomizedStudy());
  });
  afterEach(() => service.close());

  const randomize = (record: string, body: object) =>
    service.send('post', `/records/${record}/randomize`, body);
  const assignmentOf = async (record: string): Promise<unknown> =>
    (await service.send('get', `/records/${record}?fields=sex`)).body.data[0].sex;

  it('assigns a record permanently, and returns the assignment', async () => {
    const { body } = await randomize('2', { randomizationId: 1 }).expect(200);

    expect(body.data.target).to.match(/^[12]$/);
    expect(body.data.alternativeTarget).to.equal('');
    expect(await assignmentOf('2')).to.equal(body.data.target);

    const again = await randomize('2', { randomizationId: 1 }).expect(400);
    expect(again.body.errors).to.deep.equal([
      { field: 'record', message: 'has an assignment already, which cannot be changed' },
    ]);
    expect(await assignmentOf('2')).to.equal(body.data.target);
  });

  it('returns the randomization number on request', async () => {
    const { body } = await randomize('2', { randomizationId: 1, returnAlt: true }).expect(200);

    expect(body.data.alternativeTarget).to.equal('*');
  });

  for (const [what, record, body, status, code] of [
    ['a record that does not exist', 'nobody', { randomizationId: 1 }, 404, 'record_not_found'],
    ['a randomization that does not exist', '2', { randomizationId: 2 }, 400, 'invalid_request'],
    ['an invalid number', '2', { randomizationId: 0 }, 400, 'invalid_request'],
    ['no randomization', '2', {}, 400, 'invalid_request'],
  ] as const) {
    it(`refuses ${what}, and assigns nothing`, async () => {
      const answer = await randomize(record, body).expect(status);

      expect(answer.body.code).to.equal(code);
      expect(await assignmentOf('2')).to.equal('');
    });
  }
});

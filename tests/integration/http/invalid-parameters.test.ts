import { expect } from 'chai';
import request from 'supertest';
import { startService, type TestService } from '../../support/start-service.js';

/** The rule of every bound of a period. */
const PERIOD = 'must be a day, a moment or as long ago, as in 2026-01-31, 2026-01-31 08:30 or 24h';

const NO_INSTRUMENT = 'is not an instrument of this project';

describe('An invalid parameter', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const send = (method: 'get' | 'delete', path: string) =>
    request(service.url)[method](`/api/v1${path}`).set('authorization', service.authorization);
  const get = (path: string) => request(service.url).get(path).set('authorization', service.authorization);

  for (const [query, field, message] of [
    ['/records?type=tall', 'type', 'must be one of flat, eav'],
    ['/records?events=visit', 'events', 'must be a unique event name, as in baseline_arm_1'],
    ['/records?events=a_arm_1,b', 'events[1]', 'must be a unique event name, as in baseline_arm_1'],
    ['/records?from=yesterday', 'from', PERIOD],
    ['/records?until=2026-02-30', 'until', PERIOD],
    ['/records?from=2026-02-01&until=2026-01-01', 'from', 'must not be later than until'],
    ['/instruments/demographics/rows?from=soon', 'from', PERIOD],
    ['/log?from=2026-02-01T08:15&until=2026-02-01T08:14', 'from', 'must not be later than until'],
    ['/records?decimalCharacter=x', 'decimalCharacter', "must be one of ',', '.'"],
    ['/records?limit=0', 'limit', 'must be at least 1'],
    ['/records?limit=ten', 'limit', 'must be a whole number'],
    ['/project/schema?values=neat', 'values', 'must be one of raw, typed'],
    ['/log?from=yesterday', 'from', PERIOD],
  ] as const) {
    it(`is named with its rule: ${query}`, async () => {
      const { body } = await get(`/api/v1${query}`).expect(400);

      expect(body).to.have.nested.property('errors[0]').that.deep.equals({ field, message });
    });
  }

  for (const [method, path, field, name, kind, message] of [
    ['delete', '/project/arms/7', 'arm', '7', 'arm', 'is not an arm of this project'],
    ['delete', '/project/events/no_arm_1', 'event', 'no_arm_1', 'event', 'is not an event of this project'],
    ['delete', '/project/dags/nope', 'dag', 'nope', 'dag', 'is not a data access group of this project'],
    ['delete', '/project/roles/U-NOPE01', 'role', 'U-NOPE01', 'role', 'is not a role of this project'],
    ['delete', '/project/users/no.one', 'username', 'no.one', 'user', 'is not a user of this project'],
    ['get', '/instruments/nope/rows', 'instrument', 'nope', 'instrument', NO_INSTRUMENT],
    [
      'get',
      '/project/summary/fields/nope',
      'field',
      'nope',
      'data_field',
      'is not a field that holds data of this project',
    ],
  ] as const) {
    it(`is 404 in the path, named with its rule: ${method} ${path}`, async () => {
      const { body } = await send(method, path).expect(404);

      expect(body).to.have.property('code', 'name_not_found');
      expect(body).to.have.nested.property('errors[0]').that.deep.equals({
        field,
        name,
        code: 'unknown_name',
        parameters: { kind },
        message,
      });
      expect(body.detail).to.equal(`${name} ${message}.`);
    });
  }

  it('is not of a record where the file repository has no file of a number', async () => {
    const { body } = await get('/api/v1/file-repository/999').expect(404);

    expect(body).to.include({
      code: 'file_not_found',
      detail: 'The file repository has no file of this number. List its folder to find the number.',
    });
  });

  it('is reported for an empty list in a body', async () => {
    const { body } = await request(service.url)
      .post('/api/v1/records/delete')
      .set('authorization', service.authorization)
      .send({ records: [] })
      .expect(400);

    expect(body).to.have.property('detail', 'records must have at least 1 item.');
  });

  it('IN-07: is not repeated, even if it looks like a list of choices', async () => {
    const value = 'should be one of the following; [MARKER]';
    const { text } = await get('/api/v1/records').query({ type: value }).expect(400);

    expect(text).to.include('must be one of flat, eav').and.to.not.include('MARKER');
  });
});

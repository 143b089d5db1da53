import { expect } from 'chai';
import request from 'supertest';
import { startService, type TestService } from '../../support/start-service.js';

describe('GET /api/v1/records?filterLogic', () => {
  let service: TestService;
  const filtered = (filterLogic: string, rest: Record<string, string> = {}) =>
    request(service.server)
      .get('/api/v1/records')
      .query({ fields: 'record_id', filterLogic, ...rest })
      .set('Authorization', service.authorization);

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('is refused with the position of the error, before a request to REDCap', async () => {
    const { status, body } = await filtered('[age] > 1 and [agee] >= 18');

    expect(status).to.equal(400);
    expect(body).to.include({ code: 'invalid_request' });
    expect(body.errors).to.deep.equal([
      {
        field: 'filterLogic',
        message: 'is not valid at character 15: [agee] is not a field of this project; did you mean [age]?',
      },
    ]);
  });

  it('is refused with every position', async () => {
    const { body } = await filtered('[agee] > 1 or [sexx] = 1');

    expect(body.errors).to.have.length(2);
  });

  for (const [title, rest] of [
    ['at once', {}],
    ['in batches', { batchSize: '5' }],
    ['in pages', { pageSize: '5' }],
  ] as const) {
    it(`is answered without a note if it is valid, ${title}`, async () => {
      const { status, headers, body } = await filtered('[age] >= 18', rest);

      expect(status).to.equal(200);
      expect(headers).to.not.have.property('x-filter-logic-note');
      expect(body.data).to.not.deep.equal([]);
    });

    it(`is passed on with a note if a name is unknown here, ${title}`, async () => {
      const { status, headers } = await filtered("[record-name] <> '' and [languages] = ''", rest);

      expect(status).to.equal(200);
      expect(headers['x-filter-logic-note']).to.match(/^at character 25: \[languages\] is a checkbox field/);
    });
  }

  it('is left to REDCap if it is unknown here', async () => {
    const { status, body } = await filtered('somethingnew([age]) = 1');

    expect(status).to.equal(400);
    expect(body.code).to.equal('upstream_rejected');
  });
});

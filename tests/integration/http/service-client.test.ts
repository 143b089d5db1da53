import { expect } from 'chai';
import { createServiceClient } from '../../../src/client.js';
import { startService, type TestService } from '../../support/start-service.js';

describe('createServiceClient', () => {
  let service: TestService;
  let client: ReturnType<typeof createServiceClient>;

  before(async () => {
    service = await startService();
    client = createServiceClient({
      baseUrl: `${service.url}/`,
      apiKey: service.authorization.replace('Bearer ', ''),
    });
  });
  after(() => service.close());

  it('reads the version, with types from the document', async () => {
    const { data } = await client.GET('/api/v1/project/version');

    expect(data?.data.version).to.equal('16.1.9');
  });

  it('sends lists as the document specifies', async () => {
    const { data } = await client.GET('/api/v1/records', {
      params: { query: { fields: ['record_id', 'age'], records: ['COHORT-2026-PARTICIPANT-0001'] } },
    });

    expect(data?.data).to.deep.equal([
      {
        record_id: 'COHORT-2026-PARTICIPANT-0001',
        redcap_repeat_instrument: '',
        redcap_repeat_instance: '',
        age: '36',
      },
    ]);
  });

  it('imports records, and exports them again', async () => {
    const record_id = 'COHORT-2026-PARTICIPANT-9001';
    const { data } = await client.POST('/api/v1/records', { body: { records: [{ record_id, age: 42 }] } });
    const again = await client.GET('/api/v1/records', {
      params: { query: { records: [record_id], fields: ['age'] } },
    });

    expect(data?.data).to.deep.equal({ count: 1, batches: 1 });
    expect(again.data?.data).to.deep.equal([{ age: '42' }]);
  });

  it('imports CSV, and exports it again', async () => {
    const record_id = 'COHORT-2026-PARTICIPANT-9002';
    const { data } = await client.POST('/api/v1/records', {
      body: `record_id,age\n${record_id},43\n`,
      headers: { 'Content-Type': 'text/csv' },
    });
    const again = await client.GET('/api/v1/records', {
      params: { query: { records: [record_id], fields: ['age'] } },
      headers: { Accept: 'text/csv' },
      parseAs: 'text',
    });
    const text: string | undefined = again.data;

    expect(data?.data).to.deep.equal({ count: 1, batches: 1 });
    expect(text).to.equal('age\n43\n');
  });

  it('uploads and downloads a file byte for byte', async () => {
    const place = {
      path: { record: 'COHORT-2026-PARTICIPANT-0001', field: 'consent_form' },
      header: { 'Content-Disposition': 'attachment; filename="scan.pdf"' },
    };
    const path = '/api/v1/records/{record}/files/{field}';
    const bytes = Uint8Array.from([0, 255, 34, 10]);
    const stored = await client.PUT(path, {
      params: place,
      body: new Blob([bytes]),
      headers: { 'Content-Type': 'application/pdf' },
    });

    const { data, response } = await client.GET(path, {
      params: { path: place.path },
      parseAs: 'arrayBuffer',
    });

    expect(stored.data).to.deep.equal({ data: { count: 1 } });
    expect(response.headers.get('content-type')).to.equal('application/pdf');
    expect(new Uint8Array(data as unknown as ArrayBuffer)).to.deep.equal(bytes);
  });

  it('returns the problem document of a failure', async () => {
    const { error, response } = await client.GET('/api/v1/people/{email}', {
      params: { path: { email: 'shared.address@example.org' } },
    });

    expect(response.status).to.equal(409);
    expect(error?.code).to.equal('ambiguous_user');
  });
});

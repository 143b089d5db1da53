import { expect } from 'chai';
import { withFaults } from '../../../support/fault-client.js';

describe('The trace of a call', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is sent with an upload, and with a read that is not shared', async () => {
    await withFaults(
      ({ form }) => ({ kind: 'answer', body: form.get('content') === 'version' ? '16.1.9' : '' }),
      async ({ client, server }) => {
        await client.files.put(
          { record: '1', field: 'consent' },
          { name: 'a', bytes: [Buffer.from('x')] },
          { traceparent },
        );
        await client.getVersion({ traceparent });

        expect(server.requests.map(({ headers }) => headers['traceparent'])).to.deep.equal([
          traceparent,
          traceparent,
        ]);
      },
    );
  });

  it('is dropped if it is malformed, without failing the call', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '16.1.9' }),
      async ({ client, server }) => {
        await client.getVersion({ traceparent: 'a\r\nb: c' });

        expect(server.requests[0]?.headers).to.not.have.any.keys('traceparent', 'b');
      },
    );
  });
});

import { expect } from 'chai';
import { createServiceClient } from '../../../../src/client/service/create-service-client.js';
import { OPERATIONS } from '../../../support/api-operations.js';

describe('The idempotency keys of createServiceClient', () => {
  it('are sent with every write that takes one, and with nothing else', async () => {
    const keys: (string | null)[] = [];
    const client = createServiceClient({
      baseUrl: 'https://crf.example.org',
      fetch: (request) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } }));
      },
    });
    const posts = OPERATIONS.filter(({ method }) => method === 'POST').map(({ template, parameters }) => ({
      template,
      takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    }));

    for (const { template, takesKey } of posts) {
      await client.POST(template as '/api/v1/auth/logout');
      expect(keys.pop() !== null, template).to.equal(takesKey);
    }

    expect(posts.filter(({ takesKey }) => takesKey)).to.have.length(3);
  });
});

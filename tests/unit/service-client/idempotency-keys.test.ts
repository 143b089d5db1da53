import { expect } from 'chai';
import { createServiceClient } from '../../../src/service-client.js';
import { ApiDocument } from '../../../src/openapi/api-document.js';

interface Operations {
  readonly post?: { readonly parameters?: readonly { readonly name: string }[] };
}

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
    const { paths } = JSON.parse(ApiDocument.load().json) as { paths: Record<string, Operations> };
    const posts = Object.entries(paths).flatMap(([path, { post }]) =>
      post === undefined
        ? []
        : [{ path, takesKey: post.parameters?.some(({ name }) => name === 'Idempotency-Key') === true }],
    );

    for (const { path, takesKey } of posts) {
      await client.POST(path as '/api/v1/auth/logout');
      expect(keys.pop() !== null, path).to.equal(takesKey);
    }

    expect(posts.filter(({ takesKey }) => takesKey)).to.have.length(3);
  });
});

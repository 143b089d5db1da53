import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { startService } from '../../support/start-service.js';
import { BODY_OF, rowsOf } from '../../support/import-project.js';
import { designOf } from '../../support/import-faults.js';
import { withFaults } from '../../support/fault-client.js';

const { paths } = JSON.parse(
  readFileSync(new URL('../../../build/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Readonly<
    Record<string, { post: { responses: Record<string, { headers?: object; $ref?: string }> } }>
  >;
};

describe('Idempotent-Replayed', () => {
  const responses = paths['/api/v1/records']?.post.responses ?? {};

  for (const [what, other, status] of [
    ['the answer of the same request', '', 200],
    ['the failure of the same request', '', 502],
    ['the refusal of a key that belongs to another request', ' ', 422],
  ] as const) {
    it(`is ${status === 422 ? 'not ' : ''}sent with ${what}, as in the document`, async () => {
      await withFaults(
        ({ form }) => {
          const design = designOf(form);
          if (design !== undefined) return { kind: 'answer', body: design };
          return status === 502 ? { kind: 'reset' } : { kind: 'answer', body: '{"count":2}' };
        },
        async ({ client }) => {
          const service = await startService({ capture: client });
          const post = async (body: string) => {
            const headers = {
              authorization: service.authorization,
              'content-type': 'application/json',
              'idempotency-key': 'key',
            };
            const answer = await fetch(`${service.url}/api/v1/records`, { method: 'POST', headers, body });
            await answer.arrayBuffer();
            return { status: answer.status, isReplayed: answer.headers.get('idempotent-replayed') };
          };
          const body = BODY_OF.json(rowsOf(2));

          const first = await post(body);
          const second = await post(body + other);

          expect(first.isReplayed).to.equal(null);
          expect(second).to.deep.equal({ status, isReplayed: status === 422 ? null : 'true' });
          const isDeclared = 'Idempotent-Replayed' in (responses[status]?.headers ?? {});
          expect(isDeclared).to.equal(status !== 422);
          await service.close();
        },
      );
    });
  }
});

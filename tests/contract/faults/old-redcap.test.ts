import { expect } from 'chai';
import { rejection } from '../../support/rejection.js';
import { withFaults } from '../../support/fault-client.js';

const REFUSED = {
  kind: 'answer',
  status: 400,
  body: '{"error":"The value of the parameter \\"content\\" is not valid"}',
} as const;

describe('A REDCap that does not support a content', () => {
  it('is named with its version in the error', async () => {
    await withFaults(
      ({ form }) => (form.get('content') === 'version' ? { kind: 'answer', body: '14.5.10' } : REFUSED),
      async ({ client }) => {
        const error = await rejection(client.records.randomize('7', 1));

        expect(error).to.include({
          code: 'not_supported_upstream',
          status: 501,
          operation: 'record/randomize',
          version: '14.5.10',
        });
        expect(error.message).to.include('REDCap 14.5.10').and.to.include('record/randomize');
      },
    );
  });

  it('is refused without its version if REDCap does not return it', async () => {
    await withFaults(
      ({ form }) => (form.get('content') === 'version' ? { kind: 'answer', status: 500, body: '' } : REFUSED),
      async ({ client }) => {
        expect(await rejection(client.dags.list())).to.include({
          code: 'not_supported_upstream',
          version: undefined,
        });
      },
    );
  });
});

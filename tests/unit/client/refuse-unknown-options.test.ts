import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { EXPORT_OPTIONS, refuseUnknownOptions } from '../../../src/client/refuse-unknown-options.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

describe('Unknown options of the client', () => {
  // Nothing is sent: no server has this address.
  const client = createCrfClient({ url: 'http://127.0.0.1:1/api/', token: 'A'.repeat(32) });
  after(() => client.close());

  const misspelt = { field: ['age'] } as object;
  const rows = [{ record_id: 'R1' }];
  for (const [method, call] of [
    ['exportRecords', () => client.exportRecords(misspelt)],
    ['streamRecords', async () => client.streamRecords(misspelt)],
  ] as const) {
    it(`are refused by ${method}, which would otherwise export every field`, async () => {
      expect(await rejection(call())).to.include({
        code: 'invalid_request',
        message: 'field is not an option; did you mean fields?',
      });
    });
  }

  for (const method of ['importRecords', 'importRows'] as const) {
    it(`are refused by ${method}, which would otherwise store the rows in another way`, async () => {
      const failure = await rejection(client[method](rows, { overwriteBehaviour: 'overwrite' } as object));

      expect(failure).to.include({
        code: 'invalid_request',
        message: 'overwriteBehaviour is not an option; did you mean overwriteBehavior?',
      });
    });
  }

  it('are refused by rows and getRecord', async () => {
    const started: SandboxClient = await startSandboxClient(createDemoStudy({ participants: 1 }));
    const rowsOf = async (): Promise<void> => {
      for await (const _row of started.client.rows('demographics', { event: ['x'] } as object)) break;
    };

    expect(await rejection(rowsOf())).to.have.property(
      'message',
      'event is not an option; did you mean events?',
    );
    expect(await rejection(started.client.getRecord('R1', { formz: [] } as object))).to.have.property(
      'message',
      'formz is not an option; did you mean forms?',
    );
    await started.close();
  });

  for (const options of ['x', null, ['age'], 7]) {
    it(`are not options at all: ${JSON.stringify(options)}`, () => {
      expect(() => refuseUnknownOptions(options, EXPORT_OPTIONS)).to.throw('options must be an object.');
    });
  }

  it('are never found on the prototype of all objects', () => {
    expect(() => refuseUnknownOptions({ toString: 1 }, EXPORT_OPTIONS)).to.throw(
      'toString is not an option.',
    );
  });
});

import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

describe('A loop over what a client answers', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;

  before(async () => {
    sandbox = await startTestSandbox(createDemoStudy({ participants: 60 }));
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  });

  after(async () => {
    client.close();
    await sandbox.close();
  });

  type Loop = (signal: AbortSignal) => AsyncIterable<unknown>;
  const LOOPS: Readonly<Record<string, Loop>> = {
    streamRecords: (signal) => client.streamRecords({ signal }),
    'streamRecords in batches': (signal) => client.streamRecords({ signal, batchSize: 20 }),
    'streamRecords with a limit': (signal) => client.streamRecords({ signal, limit: 50 }),
    rows: (signal) => client.rows('demographics', { signal }),
    'log.stream': (signal) => client.log.stream({ signal }),
  };

  for (const [name, open] of Object.entries(LOOPS)) {
    it(`${name} has no further row after an abort, and rejects with the reason`, async () => {
      const controller = new AbortController();
      let seen = 0;
      const loop = async (): Promise<void> => {
        for await (const _ of open(controller.signal)) if (++seen === 5) controller.abort('enough');
      };

      expect(await rejection(loop())).to.include({ code: 'cancelled', cause: 'enough' });
      expect(seen).to.equal(5);
    });
  }

  it('also rejects if the abort comes with the last row that was asked for', async () => {
    const controller = new AbortController();
    const loop = async (): Promise<void> => {
      for await (const _ of client.streamRecords({ signal: controller.signal, limit: 1 })) controller.abort();
    };

    expect(await rejection(loop())).to.have.property('code', 'cancelled');
  });

  for (const [name, open] of Object.entries({
    openRecords: (signal: AbortSignal) => client.openRecords({ format: 'csv', signal }),
    'log.open': (signal: AbortSignal) => client.log.open({ signal }),
  })) {
    it(`${name} has no further bytes after an abort`, async () => {
      const controller = new AbortController();
      const body = await open(controller.signal);
      const loop = async (): Promise<void> => {
        for await (const _ of body) controller.abort();
      };

      expect(await rejection(loop())).to.have.property('code', 'cancelled');
    });
  }

  it('says that the client is closed, for calls in progress and later ones', async () => {
    const other = createCrfClient({ url: sandbox.url, token: sandbox.token });
    const started = rejection(other.exportRecords());
    other.close();

    for (const error of [await started, await rejection(other.getVersion())])
      expect(error).to.include({
        code: 'cancelled',
        message: 'This client is closed (close). Create another one.',
      });
  });
});

import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

describe('createCrfClient', () => {
  let started: SandboxClient;

  before(async () => {
    started = await startSandboxClient(classicStudy());
  });
  after(() => started.close());

  it('uses the default of an undefined option, as of an omitted one', async () => {
    const client = createCrfClient({
      url: started.sandbox.url,
      token: DEMO_TOKEN,
      timeouts: { connectMs: undefined, firstByteMs: undefined, idleMs: undefined },
      resilience: { concurrency: undefined, queueLimit: undefined, totalMs: undefined },
      // Callers whose compiler does not distinguish undefined from omitted may write this.
    } as unknown as Parameters<typeof createCrfClient>[0]);

    const version = await client.getVersion().finally(() => client.close());

    expect(version).to.match(/^\d+\.\d+\.\d+$/);
  });
});

import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

describe('createCrfClient', () => {
  it('uses the default of an undefined option, as of an omitted one', async () => {
    const started = await startSandboxClient(classicStudy());
    const client = createCrfClient({
      url: started.sandbox.url,
      token: DEMO_TOKEN,
      timeouts: { connectMs: undefined, firstByteMs: undefined, idleMs: undefined },
      resilience: { concurrency: undefined, queueLimit: undefined, totalMs: undefined },
      // Callers whose compiler does not distinguish undefined from omitted may write this.
    } as unknown as Parameters<typeof createCrfClient>[0]);

    expect(await client.getVersion()).to.match(/^\d+\.\d+\.\d+$/);
    client.close();
    await started.close();
  });
});

import { createCrfClient } from '../../src/client/create-crf-client.js';
import type { CrfClient } from '../../src/gateways/redcap/crf-client.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';

/** A sandbox with one study and a client for it, for one test or suite. */
export interface SandboxClient {
  readonly sandbox: RedcapSandbox;
  readonly client: CrfClient;
  close(): Promise<void>;
}

/** Starts a sandbox and a client, which has the rights of the data manager or of the given token. */
export async function startSandboxClient(
  study: Study,
  { token = DEMO_TOKEN, superToken }: { readonly token?: string; readonly superToken?: string } = {},
): Promise<SandboxClient> {
  const sandbox = await startRedcapSandbox({ study, superToken });
  const client = createCrfClient({ url: sandbox.url, token });
  return {
    sandbox,
    client,
    close: async () => {
      client.close();
      await sandbox.close();
    },
  };
}

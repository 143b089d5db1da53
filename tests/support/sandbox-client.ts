import { callsOf } from '../../src/client/compose-client.js';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import type { CrfCalls, CrfClient } from '../../src/gateways/redcap/crf-client.js';
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
  // Property tests make more calls in a minute than a REDCap would be asked.
  const client = createCrfClient({ url: sandbox.url, token, resilience: { callsPerMinute: 0 } });
  return {
    sandbox,
    client,
    close: async () => {
      client.close();
      await sandbox.close();
    },
  };
}

/**
 * Declares that the sandboxes of a suite are closed after each of its tests.
 *
 * @returns starts one with a study, and makes the calls of a client of it
 */
export function sandboxCalls(): (study: Study) => Promise<CrfCalls> {
  const open: SandboxClient[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((started) => started.close()));
  });
  return async (study) => {
    const started = await startSandboxClient(study);
    open.push(started);
    return callsOf(started.client);
  };
}

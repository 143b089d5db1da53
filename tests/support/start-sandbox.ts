import { createDemoStudy, DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';

/** Starts a sandbox for one test or suite, with the demo study or the given one, and with the time of `clock`. */
export async function startTestSandbox(
  study: Study = createDemoStudy({ participants: 30 }),
  clock?: () => Date,
): Promise<RedcapSandbox & { readonly token: string }> {
  const sandbox = await startRedcapSandbox({ study, clock });
  return Object.assign(sandbox, {
    token:
      study.users.find(({ rights, token }) => rights.api_import > 0 && token !== '')?.token ?? DEMO_TOKEN,
  });
}

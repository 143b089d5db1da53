import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';

/** Runs with a project that contains the rows of the study, and an empty one. */
export async function withProjects(
  study: Study,
  run: (full: CrfClient, empty: CrfClient) => Promise<void>,
): Promise<void> {
  const [full, empty] = await Promise.all([
    startSandboxClient(study),
    startSandboxClient({ ...study, rows: [] }),
  ]);
  try {
    await run(full.client, empty.client);
  } finally {
    await Promise.all([full.close(), empty.close()]);
  }
}

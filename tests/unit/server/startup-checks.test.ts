import { expect } from 'chai';
import { startupChecks } from '../../../src/server/startup-checks.js';
import { loadSettings } from '../../../src/server/config/settings.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

describe('The check of REDCap at the start', () => {
  for (const [record_autonumbering_enabled, isTold] of [
    [0, true],
    [1, false],
  ] as const) {
    it(`IN-11: ${isTold ? 'warns of short ids that are invented' : 'accepts short ids that REDCap numbers'}`, async () => {
      const classic = classicStudy();
      const project = { ...classic.project, settings: { record_autonumbering_enabled } };
      const started = await startSandboxClient({ ...classic, project });
      const settings = loadSettings({
        CAPTURE_API_URL: started.sandbox.url,
        CAPTURE_API_TOKEN: 'A'.repeat(32),
      });

      const [redcap] = startupChecks(settings, { options: { capture: started.client } }, undefined);
      const answer = await redcap?.run(new AbortController().signal);
      await started.close();

      expect(answer).to.match(/^version /);
      expect(answer?.includes('RECORD_ID_MIN_LENGTH')).to.equal(isTold);
    });
  }
});

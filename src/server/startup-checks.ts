import type { AuthSettings } from '../app/create-app-options.js';
import type { Settings } from '../config/settings.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { StartupCheck } from './startup-report.js';

/** Returns the checks at start: one for each configured backend, none for the sandbox, which runs in this process. */
export function startupChecks(
  { capture, signIn }: Settings,
  client: CrfClient,
  auth: AuthSettings | undefined,
): StartupCheck[] {
  const redcap: StartupCheck = {
    name: 'REDCap',
    run: async (signal) => `version ${await client.getVersion({ signal, caller: 'start' })}`,
  };
  const appwrite: StartupCheck = {
    name: 'Appwrite',
    run: async () => {
      await auth?.service.checkReadiness();
      return 'it knows the project and the key';
    },
  };
  return [...(capture ? [redcap] : []), ...(signIn ? [appwrite] : [])];
}

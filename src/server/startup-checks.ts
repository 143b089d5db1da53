import type { AuthSettings, ProjectOptions } from '../app/create-app-options.js';
import type { Settings } from './config/settings.js';
import { isRefusal } from '../gateways/redcap/call-errors.js';
import { shortIdWarning } from '../services/short-id-warning.js';
import type { OpenedProject } from './open-project.js';
import type { StartupCheck } from './startup-report.js';

/** Returns the checks at start: one for each configured backend, none for the sandbox, which runs in this process. */
export function startupChecks(
  { capture, signIn, values }: Settings,
  project:
    | ({ readonly options: Pick<ProjectOptions, 'capture'> } & Partial<Pick<OpenedProject, 'number'>>)
    | undefined,
  auth: AuthSettings | undefined,
): StartupCheck[] {
  const redcap: StartupCheck = {
    name: 'REDCap',
    run: async (signal) => {
      const call = { signal, caller: 'start' };
      if (project === undefined) return 'there is no project';
      const { capture: client } = project.options;
      const version = `version ${await client.getVersion(call)}`;
      // By which a token of another project is recognised later. A refusal is reported when it matters.
      await project.number?.learn(call).catch(() => undefined);
      // A token may lack the right to export, which the service reports when it is needed.
      const warning = await shortIdWarning(client, values.RECORD_ID_MIN_LENGTH, call).catch(
        (error: unknown) => {
          if (isRefusal(error)) return undefined;
          throw error;
        },
      );
      return warning === undefined ? version : `${version}. ${warning}`;
    },
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

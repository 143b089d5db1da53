import type { Settings } from './config/settings.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { CallerViews, type PolicyFiles } from '../policy/caller-views.js';
import { transformsOf } from '../policy/deidentify/transforms.js';
import { loadPolicyFiles } from '../policy/load-policy-files.js';
import { thisProgram } from '../services/this-program.js';
import { viewSecretFrom } from './derived-keys.js';

/** The policy of a running service. */
export interface OpenedPolicy {
  readonly views: CallerViews;
  /** Reads both files again. @returns a function that puts them to use @throws {ConfigurationError} one cannot be used */
  readonly prepare: () => Promise<() => void>;
}

/**
 * Reads the policy file of the settings, and its lock.
 *
 * @returns undefined if there is none
 * @throws {ConfigurationError} one of them cannot be used: the service must not start without it
 */
export async function openPolicy(
  { values, capture, recordKey }: Settings,
  client: CrfClient,
): Promise<OpenedPolicy | undefined> {
  const path = values.POLICY_FILE;
  if (path === undefined) return undefined;
  const load = () => loadServedPolicy(path, recordKey);
  const views = new CallerViews(client, await load(), viewSecretFrom(capture?.token), {
    pseudonymKey: recordKey,
  });
  const prepare = async () => {
    const files = await load();
    return () => views.replace(files);
  };
  return { views, prepare };
}

/**
 * Reads a policy file and its lock as a service has to have them.
 *
 * @throws {ConfigurationError} one of them cannot be used, or what they need is not set
 */
export async function loadServedPolicy(path: string, recordKey: Settings['recordKey']): Promise<PolicyFiles> {
  const files = await loadPolicyFiles(path);
  const isNeeded = Object.values(files.set.policies).some((policy) => transformsOf(policy) !== undefined);
  if (isNeeded && recordKey === undefined) throw new ConfigurationError(NO_KEY);
  // For manifests: read before an upgrade can put other code there than what runs.
  if (isNeeded) await thisProgram();
  return files;
}

const NO_KEY = [
  {
    field: 'PSEUDONYM_KEY',
    message: 'is needed by a policy that de-identifies: create one with openssl rand -hex 32, and keep it',
  },
];

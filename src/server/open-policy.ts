import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { CrfError } from '../errors/crf-error.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { CallerViews, type PolicyFiles } from '../policy/caller-views.js';
import { transformsOf } from '../policy/deidentify/transforms.js';
import { loadPolicyFiles } from '../policy/load-policy-files.js';
import { thisProgram } from '../services/this-program.js';
import { viewSecretFrom } from './derived-keys.js';

/** The policy of a running service. */
export interface OpenedPolicy {
  readonly views: CallerViews;
  /** Puts both files to use, or neither. Never rejects: what cannot be used is logged, and the previous policy kept. */
  readonly reread: () => Promise<void>;
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
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<OpenedPolicy | undefined> {
  const path = values.POLICY_FILE;
  if (path === undefined) return undefined;
  const load = async (): Promise<PolicyFiles> => {
    const files = await loadPolicyFiles(path);
    const isNeeded = Object.values(files.set.policies).some((policy) => transformsOf(policy) !== undefined);
    if (isNeeded && recordKey === undefined) throw new ConfigurationError(NO_KEY);
    // For manifests: read before an upgrade can put other code there than what runs.
    if (isNeeded) await thisProgram();
    return files;
  };
  const views = new CallerViews(client, await load(), viewSecretFrom(capture?.token), {
    pseudonymKey: recordKey,
  });
  const reread = async (): Promise<void> => {
    try {
      views.replace(await load());
      logger.info('the policy was read again and is in use');
    } catch (error) {
      const problems = error instanceof CrfError ? error.errors : undefined;
      logger.error({ problems }, 'the policy cannot be used: the previous one is kept');
    }
  };
  return { views, reread };
}

const NO_KEY = [
  {
    field: 'PSEUDONYM_KEY',
    message: 'is needed by a policy that de-identifies: create one with openssl rand -hex 32, and keep it',
  },
];

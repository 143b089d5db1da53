import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import { Secret } from '../../domain/identifiers/secret.js';
import { type BoundCaller, CallerViews, type PolicyFiles } from '../../policy/caller-views.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import type { OpenedClient, ProjectChoice } from '../open-client.js';
import { text } from './option.js';

export const policyFile = text('The policy file; by default POLICY_FILE');

export type PolicyOptions = ProjectChoice & { readonly file?: string | undefined };

/** Returns the policy file of an option, or of the settings. @throws {CliError} there is none */
export function pathOf(
  { file }: Pick<PolicyOptions, 'file'>,
  { settings }: Pick<OpenedClient, 'settings'>,
): string {
  const path = file ?? settings.policyFile;
  if (path !== undefined) return path;
  throw new CliError('Name the policy file, or set POLICY_FILE.', EXIT_CODES.usage);
}

/** Reads a caller, as `--as` names one. @throws {CliError} it is none */
export function callerOf(as: string): BoundCaller {
  const [, kind, name = ''] = /^(key|session):(.+)$/.exec(as) ?? [];
  if (kind === 'key') return { kind: 'api-key', name: `key:${name}` };
  if (kind === 'session') return { kind: 'session', name: 'session', user: { email: name.toLowerCase() } };
  throw new CliError('--as must be key:NAME or session:ADDRESS.', EXIT_CODES.usage);
}

/** Says that a caller has no rights. Other errors are thrown again. */
export function noRightsUnless(as: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotInPolicyError)) throw error;
    throw new CliError(
      `${as} has no rights: no binding fits, or its group or address is not known.`,
      EXIT_CODES.failed,
    );
  };
}

/**
 * Opens what a caller of the service sees of the project, under the policy of an option or of the settings.
 *
 * @throws {CliError} the caller has no rights
 * @throws {ConfigurationError} the policy file or its lock cannot be used
 * @throws {PolicyInvalidError} the policy does not fit the project, or needs PSEUDONYM_KEY
 */
export async function openView(as: string, file: string | undefined, opened: OpenedClient) {
  const files = await loadPolicyFiles(pathOf({ file }, opened));
  const views = new CallerViews(opened.client, files, '', { pseudonymKey: opened.settings.recordKey });
  const view = await views.viewOf(callerOf(as)).catch(noRightsUnless(as));
  return { files, views, view };
}

/** Returns the views of callers. What they see does not depend on PSEUDONYM_KEY; how it is written does. */
export function viewsFor({ client, settings }: OpenedClient, files: PolicyFiles): CallerViews {
  return new CallerViews(client, files, '', {
    pseudonymKey: settings.recordKey ?? new Secret('0'.repeat(64)),
  });
}

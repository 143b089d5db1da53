import { finished } from 'node:stream/promises';
import { callsOf, composeClient } from '../../client/compose-client.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { CallerViews } from '../../policy/caller-views.js';
import { verdictsOf } from '../../policy/deidentify/field-verdicts.js';
import { manifestOf } from '../../policy/deidentify/manifest.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import { accessTo } from '../../policy/policy-lock.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { PACKAGE_VERSION } from '../../services/package-version.js';
import { CliError } from '../cli-error.js';
import { digestsOf } from './digests.js';
import { EXIT_CODES } from '../exit-codes.js';
import { newFile } from '../files/export-target.js';
import type { OpenedClient } from '../open-client.js';
import { callerOf, noRightsUnless, pathOf } from './run-policy.js';

/** An export as a caller of the service sees it, and the manifest of its de-identification. */
export interface ExportAs {
  readonly client: CrfClient;
  /** Writes the manifest, if one was asked for. @returns its warnings */
  readonly finish: (rows: number) => Promise<readonly string[]>;
}

interface AsOptions {
  readonly as: string;
  readonly policy?: string | undefined;
  readonly manifest?: string | undefined;
  readonly force: boolean;
}

/**
 * Opens the project as a caller of the service sees it.
 *
 * @throws {CliError} the caller has no rights, or a manifest was asked for and the policy does not de-identify
 * @throws {ConfigurationError} the policy file or its lock cannot be used
 * @throws {PolicyInvalidError} the policy does not fit the project, or needs PSEUDONYM_KEY
 */
export async function exportAs(
  { as, policy: file, manifest, force }: AsOptions,
  opened: OpenedClient,
  signal: AbortSignal,
): Promise<ExportAs> {
  const path = pathOf({ file }, opened);
  const files = await loadPolicyFiles(path);
  const views = new CallerViews(opened.client, files, '', { pseudonymKey: opened.settings.recordKey });
  const seen = await views.viewOf(callerOf(as)).catch(noRightsUnless(as));
  const deidentify = seen.deidentify && { ...seen.deidentify, met: new Map<string, number>() };
  const client = composeClient(restrict(callsOf(opened.client), { ...seen, deidentify }));
  if (manifest === undefined) return { client, finish: () => Promise.resolve([]) };
  if (deidentify === undefined)
    throw new CliError(
      `--manifest: the policy ${seen.policy} shows values as they are, so that there is nothing to say.`,
      EXIT_CODES.usage,
    );
  const target = await newFile(manifest, force, signal);
  return {
    client,
    finish: async (rows) => {
      const { dictionary } = await loadProjectStructure(opened.client);
      const policy = files.set.policies[seen.policy];
      const verdicts = policy && verdictsOf(policy, dictionary.fields, files.lock.identifying?.[seen.policy]);
      const [idField] = dictionary.fields;
      if (policy === undefined || idField === undefined) return [];
      const isGranted = (name: string): boolean =>
        accessTo(policy, dictionary.field(name)?.instrument ?? '') !== undefined;
      const made = manifestOf(
        {
          policy: seen.policy,
          program: { name: 'crf-service', version: PACKAGE_VERSION },
          digests: await digestsOf(path, dictionary.fields),
          rows,
        },
        deidentify,
        idField,
        new Map([...(verdicts ?? [])].filter(([name]) => isGranted(name))),
        seen.fields,
      );
      const sink = await (await target.open()).begin();
      await finished(sink.end(`${JSON.stringify(made, null, 2)}\n`));
      await target.complete();
      return made.warnings;
    },
  };
}

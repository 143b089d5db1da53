import { createHash } from 'node:crypto';
import { callsOf, composeClient } from '../../client/compose-client.js';
import type { CrfClient, LogEntry, RecordRow } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import type { ChangeSource } from '../../sync/change-engine.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import type { OpenedClient } from '../open-client.js';
import { callerOf, openView } from '../options/caller.js';

/** What a caller of the service sees of a project, followed while policy and project change. */
interface ViewSource {
  readonly source: ChangeSource;
  /** Says whose copy it is: the name of the policy, and a digest of what a copy cannot change to. */
  readonly view: string;
}

/**
 * Opens what a caller of the service sees. It is decided anew with each structure of the project: what a policy hides
 * from then on is gone.
 *
 * @throws {CliError} the caller has no rights, or the policy gives records other ids at each export
 * @throws {ConfigurationError} the policy file or its lock cannot be used
 * @throws {PolicyInvalidError} the policy does not fit the project, or needs PSEUDONYM_KEY
 */
export async function viewSource(
  { as, policy }: { readonly as: string; readonly policy?: string | undefined },
  opened: OpenedClient,
): Promise<ViewSource> {
  const { views, view: seen } = await openView(as, policy, opened);
  if (seen.deidentify?.recordId === 'random')
    throw new CliError(
      `The policy ${seen.policy} gives records other ids at each export, so that no copy can follow them: use crf export --as, or a policy with pseudonyms.`,
      EXIT_CODES.usage,
    );
  let current: Promise<CrfClient> | undefined;
  const clientOf = async (): Promise<CrfClient> =>
    composeClient(restrict(callsOf(opened.client), await views.viewOf(callerOf(as))));
  const client = (): Promise<CrfClient> => (current ??= clientOf());
  const clearCache = (): void => {
    opened.client.clearCache();
    current = undefined;
  };
  return { source: following(client, clearCache), view: identityOf(seen) };
}

/** The members of a client that is another one after its cache has been cleared. */
function following(client: () => Promise<CrfClient>, clearCache: () => void): ChangeSource {
  return {
    clearCache,
    fields: { list: async (call) => (await client()).fields.list(call) },
    project: { getInfo: async (call) => (await client()).project.getInfo(call) },
    events: { list: async (call) => (await client()).events.list(call) },
    arms: { list: async (call) => (await client()).arms.list(call) },
    dags: { list: async (call) => (await client()).dags.list(call) },
    instruments: { list: async (call) => (await client()).instruments.list(call) },
    mappings: { list: async (call) => (await client()).mappings.list(call) },
    repeating: { list: async (call) => (await client()).repeating.list(call) },
    log: {
      async *stream(selection): AsyncGenerator<LogEntry> {
        yield* (await client()).log.stream(selection);
      },
    },
    async *streamRecords(options): AsyncGenerator<RecordRow> {
      yield* (await client()).streamRecords(options);
    },
  };
}

/** Fields and instruments may change, as those of a project do; the records and how they are written may not. */
function identityOf({ policy, rows, deidentify }: ProjectView): string {
  const changes = deidentify && [deidentify.preset, deidentify.recordId, deidentify.keys?.fingerprint];
  const digest = createHash('sha256')
    .update(JSON.stringify([policy, rows, changes]))
    .digest('base64url');
  return `${policy} ${digest.slice(0, 22)}`;
}

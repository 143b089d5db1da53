import { finished } from 'node:stream/promises';
import { callsOf, composeClient } from '../../client/compose-client.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { countedExport, wholeManifest } from '../../policy/counted-export.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { thisProgram } from '../../services/this-program.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { newFile } from '../files/file-target.js';
import type { Io } from '../io.js';
import type { OpenedClient } from '../open-client.js';
import { openView } from '../options/caller.js';

/** An export as a caller of the service sees it, and the manifest of its de-identification. */
interface ExportAs {
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
  { as, policy, manifest, force }: AsOptions,
  opened: OpenedClient,
  io: Io,
): Promise<ExportAs> {
  const { files, view } = await openView(as, policy, opened);
  const calls = callsOf(opened.client);
  if (manifest === undefined)
    return { client: composeClient(restrict(calls, view)), finish: () => Promise.resolve([]) };
  const counted = countedExport(calls, view);
  if (counted === undefined)
    throw new CliError(
      `--manifest: the policy ${view.policy} shows values as they are, so that there is nothing to say.`,
      EXIT_CODES.usage,
    );
  const target = await newFile(manifest, force, io);
  return {
    client: composeClient(counted.calls),
    finish: async (rows) => {
      // Exports of this command always have the record id.
      const made = await counted.manifest({ rows, selection: {}, program: await thisProgram() });
      const { dictionary } = await loadProjectStructure(opened.client);
      const whole = wholeManifest(made, files, view, dictionary);
      const sink = await (await target.open()).begin();
      await finished(sink.end(`${JSON.stringify(whole, null, 2)}\n`));
      await target.complete();
      return made.warnings;
    },
  };
}

import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { MadeUpStudy } from '../sandbox/named-study.js';
import type { Settings } from '../server/config/settings.js';
import { CliError, EXIT_CODES } from './cli-error.js';
import type { Io, Output } from './io.js';

/** A client for one command, with the resources to close after it. */
export interface OpenedClient {
  readonly client: CrfClient;
  readonly settings: Settings;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

export interface ProjectChoice {
  /** `--sandbox`: the project settings in the environment have already been cleared. */
  readonly sandbox: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** Whether the command makes lasting changes. If so, the sandbox is used only if it was requested. */
  readonly needsProject?: boolean;
  /** A project of `PROJECTS_FILE`, for a command that works with several; otherwise that of the settings. */
  readonly named?: string;
}

/**
 * Opens the configured project. Without one, starts a sandbox in this process and reports that on stderr.
 *
 * @throws {ConfigurationError} the configuration is invalid
 * @throws {CliError} there is no project, and the command needs one
 */
export async function openClient(choice: ProjectChoice, { env, stderr }: Io): Promise<OpenedClient> {
  const [{ loadCommandSettings, loadProjectSettings }, { createCrfClient }] = await Promise.all([
    import('../server/config/settings.js'),
    import('../client/create-crf-client.js'),
  ]);
  const settings =
    choice.named === undefined ? loadCommandSettings(env) : loadProjectSettings(choice.named, env);
  const { capture } = settings;
  if (choice.verbose) stderr.write(inWords(settings));
  const sandbox = capture === undefined ? await startSandbox(choice, settings.sandbox, stderr) : undefined;
  const client = createCrfClient({
    ...(capture ?? { url: sandbox?.url ?? '', token: sandbox?.token ?? '' }),
    ...settings.client,
    ...(choice.verbose && { observer: (await import('./printing/call-log.js')).callLog(stderr) }),
  });
  return {
    client,
    settings,
    isSandbox: capture === undefined,
    close: async () => {
      client.close();
      await sandbox?.close();
    },
  };
}

async function startSandbox(
  { sandbox: isChosen, needsProject, quiet }: ProjectChoice,
  madeUp: MadeUpStudy,
  stderr: Output,
) {
  if (needsProject && !isChosen) throw new CliError(NO_PROJECT, EXIT_CODES.usage);
  const { startSandbox: start } = await import('../sandbox/start-sandbox.js');
  const sandbox = await start(madeUp);
  const study = `the sandbox: "${sandbox.title}", ${sandbox.records} made-up records, nothing is kept`;
  if (!isChosen) stderr.write(`No REDCap project is configured. This is ${study}.\n`);
  else if (!quiet) stderr.write(`This is ${study}.\n`);
  return sandbox;
}

function inWords({ capture, warnings }: Settings): string {
  const lines = [...(capture === undefined ? [] : [`REDCap at ${capture.url}.`]), ...warnings];
  return lines.map((line) => `${line}\n`).join('');
}

const NO_PROJECT =
  'No REDCap project is configured. Set CAPTURE_API_URL and CAPTURE_API_TOKEN, in the environment or in .env, or try it on a synthetic study with --sandbox.';

export async function withClient<T>(
  choice: ProjectChoice,
  io: Io,
  work: (opened: OpenedClient) => Promise<T>,
): Promise<T> {
  const opened = await openClient(choice, io);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

import type { Settings } from '../config/settings.js';
import type { RedcapGateway } from '../gateways/redcap/redcap-gateway.js';

/** A client for one command, and what has to be closed with it. */
export interface OpenedClient {
  readonly client: RedcapGateway;
  readonly settings: Settings;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

/**
 * Opens the project that the environment names, or a sandbox in this process, which it says on stderr.
 *
 * @throws {ConfigurationError} the environment is not valid
 */
export async function openClient(): Promise<OpenedClient> {
  const [{ loadCommandSettings }, { clientOptionsOf }, { createCrfClient }] = await Promise.all([
    import('../config/settings.js'),
    import('../config/client-options.js'),
    import('../gateways/redcap/create-crf-client.js'),
  ]);
  const settings = loadCommandSettings();
  const { capture } = settings;
  const sandbox = capture === undefined ? await startSandbox() : undefined;
  const client = createCrfClient({
    ...(capture ?? { url: sandbox?.url ?? '', token: sandbox?.token ?? '' }),
    ...clientOptionsOf(settings),
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

async function startSandbox() {
  const [{ startRedcapSandbox }, { createDemoStudy, DEMO_TOKEN }] = await Promise.all([
    import('../sandbox/redcap/redcap-sandbox.js'),
    import('../sandbox/demo-study/demo-study.js'),
  ]);
  process.stderr.write('No REDCap is configured: this runs on a sandbox with a synthetic study.\n');
  const sandbox = await startRedcapSandbox({ study: createDemoStudy() });
  return { url: sandbox.url, token: DEMO_TOKEN, close: () => sandbox.close() };
}

/** Runs work with a client, and closes it whatever happens. */
export async function withClient<T>(work: (opened: OpenedClient) => Promise<T>): Promise<T> {
  const opened = await openClient();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { UpstreamTimeoutError } from '../../errors/upstream-timeout-error.js';
import { UpstreamUnavailableError } from '../../errors/upstream-unavailable-error.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { describeFailure } from '../report-failure.js';
import { EXIT_CODES, exitCodeOf, type ExitCode } from '../exit-codes.js';
import { openClient, type OpenedClient } from '../open-client.js';
import { printReport, runChecks, type Check, type CheckReport } from './check-runner.js';

/** Checks the way to REDCap from the configuration to a record. @returns the exit code */
export async function runCaptureChecks(options: { readonly json: boolean }): Promise<ExitCode> {
  const opened = await openClient().catch((error: unknown) => error);
  if (!isOpened(opened)) return printReport(configurationFailed(opened), options);
  try {
    return printReport(await checkCapture(opened), options);
  } finally {
    await opened.close();
  }
}

async function checkCapture({ client, settings, isSandbox }: OpenedClient): Promise<CheckReport> {
  const url = settings.capture?.url;
  const target = isSandbox || url === undefined ? 'sandbox' : new URL(url).origin;
  const network: Check[] =
    url === undefined
      ? []
      : [
          {
            name: 'network',
            run: () => reach(new URL(url), settings.values.CAPTURE_CONNECT_TIMEOUT_MS),
            advice: 'check the host and the port of CAPTURE_API_URL, and the firewall between',
          },
        ];
  return runChecks(target, [
    {
      name: 'configuration',
      run: () => Promise.resolve(isSandbox ? 'none: the sandbox stands in' : 'complete'),
      advice: '',
    },
    ...network,
    ...projectChecks(client),
  ]);
}

function projectChecks(client: CrfClient): Check[] {
  return [
    {
      name: 'version',
      run: async () => `REDCap ${await client.getVersion()}`,
      advice:
        'check that CAPTURE_API_URL is the address of the API (it ends in /api/) and that the token is right',
    },
    {
      name: 'project',
      run: async () => {
        const { id, isLongitudinal } = await client.getProjectInfo();
        return `project ${id}, ${isLongitudinal ? 'longitudinal' : 'classic'}`;
      },
      advice: 'check that the token belongs to a project, and that its user may export',
    },
    {
      name: 'metadata',
      run: async () => `${(await client.getMetadata()).length} fields`,
      advice: 'check that the user of the token may see the data dictionary',
    },
    {
      name: 'records',
      run: async () => (await readOneRecord(client)) ?? 'the project has no record yet',
      advice: 'check that the user of the token has the right to export records',
    },
  ];
}

/** Reads ids only, and no more of them than until the first one arrives. */
async function readOneRecord(client: CrfClient): Promise<string | undefined> {
  const [idField] = await client.getMetadata();
  if (idField === undefined) return undefined;
  for await (const _row of client.streamRecords({ fields: [idField.name] })) return 'one record was read';
  return undefined;
}

/** The name, the connection, and the certificate: what fails before REDCap says a word. */
async function reach({ hostname, port, protocol }: URL, timeoutMs: number): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  try {
    await lookup(host);
  } catch {
    throw new UpstreamUnavailableError('connect');
  }
  return new Promise((resolve, reject) => {
    const target = { host, port: Number(port) || (isSecure ? 443 : 80), servername: host };
    const socket = isSecure ? connectTls(target) : connect(target);
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(timeoutMs, () => end(() => reject(new UpstreamTimeoutError('connect'))));
    socket.once('error', () => end(() => reject(new UpstreamUnavailableError('connect'))));
    socket.once(isSecure ? 'secureConnect' : 'connect', () =>
      end(() => resolve(isSecure ? 'connected, the certificate is valid' : 'connected')),
    );
  });
}

function configurationFailed(error: unknown): CheckReport {
  const exitCode = exitCodeOf(error);
  return {
    ok: false,
    exitCode: exitCode === EXIT_CODES.ok ? EXIT_CODES.failed : exitCode,
    target: 'configuration',
    checks: [
      {
        name: 'configuration',
        status: 'failed',
        latencyMs: 0,
        detail: describeFailure(error),
        code: 'invalid_configuration',
        advice: 'mend the settings that are named; docs/configuration.md lists all of them',
      },
    ],
  };
}

function isOpened(value: unknown): value is OpenedClient {
  return typeof value === 'object' && value !== null && 'client' in value;
}

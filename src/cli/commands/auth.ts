import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import { loadCommandSettings, type Settings } from '../../server/config/settings.js';
import { validateSignupEmail } from '../../validators.js';
import {
  type Check,
  type CheckReport,
  configurationFailed,
  reported,
  runChecks,
} from '../check/check-runner.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import type { Io } from '../io.js';
import { JSON_ON_STDOUT } from '../options/shared-options.js';

/** Checks the sign-in, from the configuration to the allow-list.*/
const checkCommand = subcommand({
  usage: 'check',
  describe: 'Check the sign-in: Appwrite, its API key, and which addresses may sign in',
  args: JSON_ON_STDOUT,
  epilogue:
    'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
  run: async (_, io) => {
    let settings: Settings;
    try {
      settings = loadCommandSettings(io.env);
    } catch (error) {
      return reported(configurationFailed(error, 'correct the settings named above'));
    }
    const { sandbox, report } = await checkSignIn(settings, io);
    await sandbox?.close();
    return reported(report);
  },
});

export const command = defineCommand({ subcommands: [checkCommand] });

interface Identity {
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: string;
}

async function checkSignIn(
  settings: Settings,
  { stderr }: Io,
): Promise<{
  readonly report: CheckReport;
  readonly sandbox?: { close(): Promise<void> };
}> {
  const { appwrite, auth } = settings;
  const { allowedDomainsRegexp } = auth.domainValidation;
  if (appwrite !== undefined) {
    const identity = { ...appwrite, apiKey: appwrite.apiKey.reveal() };
    const { origin } = new URL(appwrite.endpoint);
    return { report: await checkIdentity(identity, allowedDomainsRegexp, origin) };
  }
  if (settings.capture !== undefined) return { report: NOT_CONFIGURED };

  const { startAppwriteSandbox } = await import('../../sandbox/appwrite/appwrite-sandbox.js');
  stderr.write('Appwrite is not configured: checking the sandbox instead.\n');
  const sandbox = await startAppwriteSandbox();
  return { sandbox, report: await checkIdentity(sandbox, allowedDomainsRegexp, 'sandbox') };
}

function checkIdentity(
  { endpoint, projectId, apiKey }: Identity,
  pattern: string,
  target: string,
): Promise<CheckReport> {
  const gateway = new AppwriteGateway({ endpoint, projectId, apiKey });
  const checks: Check[] = [
    {
      name: 'connection',
      run: async () => {
        await gateway.ping();
        return 'the endpoint answers and accepts the project and the key';
      },
      advice: 'check APPWRITE_ENDPOINT (it ends in /v1), APPWRITE_PROJECT_ID and APPWRITE_API_KEY',
    },
    {
      name: 'scopes',
      run: async () => {
        const scopes = Object.entries(await gateway.probeScopes());
        const missing = scopes.filter(([, isGranted]) => !isGranted).map(([scope]) => scope);
        if (missing.length > 0)
          throw new ProblemError('identity_refused', {
            refusal: `The API key lacks the scope ${missing.join(' and ')}.`,
          });
        return scopes.map(([scope]) => scope).join(', ');
      },
      advice: 'give the API key of APPWRITE_API_KEY these scopes, in the console of Appwrite',
    },
    {
      name: 'allow-list',
      run: () => Promise.resolve(describeAllowList(pattern)),
      advice: 'correct ALLOWED_DOMAINS_REGEXP: it must match the whole domain, as in example\\.org',
    },
  ];
  return runChecks(target, checks);
}

/** Sample addresses that show what a pattern admits. Common mistakes in patterns admit one of the last four. */
const SAMPLES = [
  'someone@example.org',
  'someone@sub.example.org',
  'someone@example.com',
  'someone@example.org.evil.test',
  'someone@evilexample.org',
];

function describeAllowList(pattern: string): string {
  const own = domainOf(pattern);
  const samples =
    own === undefined ? SAMPLES : SAMPLES.map((sample) => sample.replaceAll('example.org', own));
  const verdicts = samples.map((sample) => ({ sample, isAdmitted: isAdmitted(sample, pattern) }));
  const list = (wanted: boolean): string =>
    verdicts
      .filter(({ isAdmitted: verdict }) => verdict === wanted)
      .map(({ sample }) => sample)
      .join(', ') || 'none of the samples';
  return `admits ${list(true)}; refuses ${list(false)}`;
}

/** Returns the first plain domain in a pattern, to make the samples resemble it. */
function domainOf(pattern: string): string | undefined {
  return /[a-z0-9-]+(?:\\\.[a-z0-9-]+)+/i.exec(pattern)?.[0].replaceAll('\\.', '.');
}

function isAdmitted(address: string, allowedDomainsRegexp: string): boolean {
  try {
    validateSignupEmail(address, { domainValidation: { allowedDomainsRegexp } });
    return true;
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    return false;
  }
}

const NOT_CONFIGURED = configurationFailed(
  new CliError('Sign-in is not configured: none of APPWRITE_* is set.', EXIT_CODES.usage),
  'set APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL and ALLOWED_DOMAINS_REGEXP',
);

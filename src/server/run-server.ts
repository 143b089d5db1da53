import { prepareEnvironment, type EnvironmentOptions } from './config/env-file.js';
import { loadSettings } from './config/settings.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { collectStreamBuffers } from '../domain/bytes/stream-buffers.js';
import type { RunningServer } from './start-server.js';

/**
 * Runs the server until it is asked to stop.
 *
 * @param environment the sources of settings other than environment variables
 * @returns the exit code: 0 after a graceful stop, 2 if the configuration is invalid. An uncaught fault ends the
 * process with 1
 */
export async function runServer(environment: EnvironmentOptions): Promise<number> {
  // Listen for signals from the start, so that a signal during startup also stops the server gracefully.
  const signalled = firstSignal();
  let hasHungUp = false;
  let onHangUp = (): void => void (hasHungUp = true);
  process.on('SIGHUP', () => onHangUp());
  collectStreamBuffers();
  const server = await start(environment);
  if (server === undefined) return 2;

  const { reread } = server;
  // Without files, SIGHUP ends the process as usual, for example when its terminal is closed.
  onHangUp = reread === undefined ? endByHangUp : () => void reread();
  if (hasHungUp) onHangUp();
  if (server.isSandbox) process.stderr.write(banner(server));
  // An uncaught fault leaves the process in an unknown state (OPS-06). Each is logged; after the first, the process ends
  // once what is under way has had its time.
  let ending: Promise<never> | undefined;
  const faulted = new Promise<void>((resolve) => {
    const onFault = (error: unknown): void => {
      server.logger.fatal({ err: error }, 'unexpected fault');
      ending ??= endAfterFault(server);
      resolve();
    };
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
  });
  await Promise.race([signalled, faulted.then(() => ending)]);
  process.once('SIGTERM', exitNow);
  process.once('SIGINT', exitNow);
  await server.stop();
  await ending;
  return 0;
}

/** Ends the process by the signal itself, so that its parent sees why. */
function endByHangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** Exits after the other requests have finished, because whatever is broken could keep the process running. */
async function endAfterFault(server: RunningServer): Promise<never> {
  await server.stopAfterFault().catch(() => undefined);
  return new Promise(() => server.logger.flush(() => process.exit(1)));
}

/** Starts the server and reports configuration errors by setting. Some appear late, such as a port that is in use. */
async function start(environment: EnvironmentOptions): Promise<RunningServer | undefined> {
  try {
    const notice = prepareEnvironment(environment);
    if (notice !== undefined) process.stderr.write(`${notice}\n`);
    const settings = loadSettings();
    const { startServer } = await import('./start-server.js');
    return await startServer(settings);
  } catch (error) {
    if (!(error instanceof CrfError)) throw error;
    const lines = error.errors.map(({ field, message }) => `  ${SETTINGS.get(field) ?? field} ${message}\n`);
    process.stderr.write(
      `The configuration is not valid:\n${lines.join('')}See docs/reference/configuration.md.\n`,
    );
    return undefined;
  }
}

/** Maps the option names of the authentication service to settings. */
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['allowedDomainsRegexp', 'ALLOWED_DOMAINS_REGEXP'],
  ['showAllowedDomains', 'SHOW_ALLOWED_DOMAINS'],
  ['loginUrl', 'LOGIN_URL'],
  ['appwrite.endpoint', 'APPWRITE_ENDPOINT'],
  ['appwrite.projectId', 'APPWRITE_PROJECT_ID'],
  ['appwrite.apiKey', 'APPWRITE_API_KEY'],
]);

function firstSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

/** Exits immediately on a second signal. */
function exitNow(): never {
  process.exit(1);
}

/** What a sandbox prints about itself once it listens. */
export function banner({ url, openToken }: Pick<RunningServer, 'url' | 'openToken'>): string {
  const door = openToken === undefined ? '' : `\n    REDCap API  ${url}/api/ with the token ${openToken}`;
  return `
  CRF Service listens on ${url}

  SANDBOX: no REDCap and no Appwrite is configured. A synthetic study stands in for
  the one, and mails appear in the mailbox instead of being sent. Nothing is kept.

    reference   ${url}/docs
    sign in     ${url}/login
    mailbox     ${url}/sandbox/mailbox${door}

`;
}

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from '../app/app.js';
import type { AuthSettings } from '../app/create-app-options.js';
import { loadSettings, type Settings } from './config/settings.js';
import { isLoopbackHost } from '../domain/identifiers/api-url.js';
import { createHttpServer } from '../http/http-server.js';
import { createAuthService } from '../services/auth/create-auth-service.js';
import type { AuthServiceConfig } from '../services/auth/auth-settings.js';
import { UserFinder } from '../services/user-finder.js';
import { Cleanup } from './cleanup.js';
import { connectSharedState } from './connect-shared-state.js';
import { ownPseudonymKey } from './derived-keys.js';
import { listen } from './listen.js';
import { createLogger } from './logging/logger.js';
import { createMetrics, listenForOperators } from './observe.js';
import { openAudit, type AuditOptions, type OpenAudit } from './open-audit.js';
import { openProjects, openSole, type ServedProject, sharedSettingsOf } from './open-projects.js';
import { OverloadWatch } from './overload-watch.js';
import { prepareProjects, rereadSole, rereadTogether } from './reread.js';
import { SecretRotation, usesOf } from './secret-rotation.js';
import type { Sandboxes } from './start-sandboxes.js';
import { reportAtStart, reportProjects, startupChecks } from './startup-report.js';
import { closeServer, connectionsOf, stopAfterFault, stopServer, type RunningParts } from './stop-server.js';

/** A server that is listening. */
export interface RunningServer {
  /** The URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The URL of the admin server; undefined without `ADMIN_PORT`. */
  readonly adminUrl: string | undefined;
  readonly isSandbox: boolean;
  /** The public token with which everyone on this machine calls REDCap's API of an open sandbox; undefined elsewhere. */
  readonly openToken: string | undefined;
  readonly logger: Logger;
  /** Stops gracefully (OPS-02). Resolves when everything is closed. */
  stop(): Promise<void>;
  /** Stops after an uncaught fault (OPS-06). Resolves even if something cannot be closed. */
  stopAfterFault(): Promise<void>;
  /** Reads the files of secrets now instead of within two seconds; undefined if there are none. */
  readonly rereadSecrets: (() => Promise<void>) | undefined;
  /**
   * Reads everything again that was read from files: secrets, and the policy with its lock, the study, or the file of
   * projects with theirs. Puts all of it to use or nothing. Undefined if there is nothing to read.
   */
  readonly reread: (() => Promise<void>) | undefined;
}

/**
 * Starts the service with the given settings: in front of REDCap and Appwrite, or on the sandbox.
 *
 * @param load reads the settings again, for a file of projects that has changed; from the environment by default
 */
export async function startServer(
  settings: Settings,
  load: () => Settings = loadSettings,
): Promise<RunningServer> {
  const { level, format } = settings.log;
  const isPretty = format === 'auto' ? process.stdout.isTTY : format === 'pretty';
  const logger = await createLogger({ level, isPretty });
  const cleanup = new Cleanup();
  try {
    return await serve(settings, { audit: { logger, isPretty }, cleanup, load });
  } catch (error) {
    // Open sockets and connections would keep the process running.
    await cleanup.run();
    throw error;
  }
}

/** The parts of a server that are not settings. */
interface ServerParts {
  readonly audit: AuditOptions;
  /** Closes everything that was opened, in the opposite order. */
  readonly cleanup: Cleanup;
  readonly load: () => Settings;
}

async function serve(
  settings: Settings,
  { audit: auditOptions, cleanup, load }: ServerParts,
): Promise<RunningServer> {
  const { app: service, projects: served } = settings;
  const { logger } = auditOptions;
  const metrics = settings.admin && (await createMetrics());
  const audit = await openAudit(settings, auditOptions);
  cleanup.add(() => audit?.close());
  const sandboxes = (settings.capture ?? served) ? undefined : await startSandboxes(settings);
  cleanup.add(() => sandboxes?.close());
  const shared = await connectSharedState(settings, sandboxes, logger);
  cleanup.add(() => shared?.close());
  if (shared) metrics?.watch({ sharedState: () => shared.status });
  const audits = new Map<string, OpenAudit>();
  cleanup.add(() => closeAll(audits));
  metrics?.watch({
    isAuditFailing: () => [audit, ...audits.values()].some((each) => each?.trail.isFailing === true),
  });

  const parts = { shared, metrics, logger, audit: auditOptions, hosts: new Map(), audits };
  const sole = served ? undefined : await openSole(settings, { sandboxes, shared, metrics, audit, logger });
  const opened = served ? await openProjects(served, parts) : new Map<string, ServedProject>();
  cleanup.add(() => closeAll(sole ? new Map([['', sole]]) : opened));
  const { host } = settings.server;
  const port = settings.server.port === 0 ? await freePort(host) : settings.server.port;
  const url = urlOf(sandboxes && UNSPECIFIED.includes(host) ? '127.0.0.1' : host, port);
  // People who sign up are looked up in the project that has no prefix.
  const main = (sole ?? opened.get(served?.default ?? ''))?.options;
  const users = main && new UserFinder(main.capture, main.users);
  const auth = createSignIn(settings, sandboxes, url, {
    stores: shared?.keyValueStore,
    resolveUserId: users && ((email) => users.idOf(email)),
    onEvent: (event) => {
      const { type, actor, reason } = event;
      logger.info({ event }, 'sign-in');
      metrics?.signIn(type);
      audit?.trail.note({ event: type, actor, reason });
    },
  });
  const watch = new OverloadWatch(settings.overload);
  cleanup.add(() => watch.stop());

  const apiKeys = [...service.access.apiKeys, ...(served?.keys ?? [])];
  // Read at each scrape, because keys can be exchanged while the service runs.
  metrics?.watch({ apiKeys: () => apiKeys });
  const { isLoopbackOnly } = service.access;
  const openToken = service.apiDoor && isLoopbackOnly ? sandboxes?.capture.token : undefined;
  const common = {
    ...service,
    access: { ...service.access, apiKeys, openToken, sessions: served?.sessions },
    limits: { ...service.limits, stores: shared?.limitStore },
    auth,
    logger,
    requests: metrics?.requests,
    isOverloaded: (running: number) => watch.isOverloaded(running),
    sandbox: sandboxes && { mailbox: sandboxes.mailbox },
  };
  const app = createApp(
    sole
      ? { ...common, ...sole.options }
      : {
          ...common,
          audit: audit?.trail,
          shared: sharedSettingsOf(shared),
          projects: Object.fromEntries([...opened].map(([name, { options }]) => [name, options])),
          defaultProject: served?.default,
        },
  );
  const server = createHttpServer(app, settings.http);
  const connections = connectionsOf(server);
  await listen(server, port, host);
  cleanup.add(() => (server.listening ? closeServer(server, connections, { timeoutMs: 0 }) : undefined));
  const admin = metrics && settings.admin && (await listenForOperators(settings.admin, app, metrics));
  cleanup.add(() => admin?.close());
  for (const warning of settings.warnings) logger.warn(warning);
  const [isSandbox, isOpen] = [sandboxes !== undefined, service.access.allowAnonymous];
  logger.info({ url, admin: admin?.url, sandbox: isSandbox, open: isOpen }, 'listening');
  logger.flush();

  const stopping = new AbortController();
  void reportAtStart(startupChecks(settings, sole, auth), logger, stopping.signal);
  const reportOn = (projects: ReadonlyMap<string, ServedProject>) =>
    void reportProjects(app, projects, logger, stopping.signal);
  reportOn(opened);
  const secrets = new SecretRotation(settings.secretFiles, usesOf(settings, apiKeys, sole), logger);
  const running: RunningParts = { app, server, connections, secrets, stopping, auth, cleanup, logger };
  const rotations = () => [secrets, ...[...opened.values()].flatMap(({ tokens }) => tokens ?? [])];
  const inUse = { app, opened, apiKeys, parts, isOpen, reportOn };
  return {
    url,
    adminUrl: admin?.url,
    isSandbox,
    openToken,
    logger,
    rereadSecrets:
      settings.secretFiles.length > 0 || served
        ? async () => void (await Promise.all(rotations().map((rotation) => rotation.reread())))
        : undefined,
    reread: rereadTogether(
      sole
        ? rereadSole(settings, app, sole, secrets)
        : [['the file of projects', true, async () => prepareProjects(inUse, load(), secrets)]],
      logger,
    ),
    stop: () => stopServer(running, settings),
    stopAfterFault: () => stopAfterFault(running, settings),
  };
}

/** Creates the sign-in: with the configured Appwrite, or on the sandbox with its own. Otherwise nobody can sign in. */
function createSignIn(
  settings: Settings,
  sandboxes: Sandboxes | undefined,
  url: string,
  parts: Pick<AuthServiceConfig, 'stores' | 'resolveUserId' | 'onEvent'>,
): AuthSettings | undefined {
  const { appwrite: configured, auth } = settings;
  const appwrite = configured
    ? { ...configured, apiKey: () => configured.apiKey.reveal() }
    : sandboxes?.identity;
  if (appwrite === undefined) return undefined;
  const loginUrl = auth.loginUrl ?? sandboxLoginUrl(url);
  return {
    service: createAuthService({
      ...auth,
      ...{ appwrite, loginUrl, pseudonymKey: ownPseudonymKey(settings) },
      ...parts,
    }),
    trustedOrigins: [new URL(loginUrl).origin],
    isSandbox: configured === undefined,
    takesCodes: auth.loginConfirm !== 'never',
  };
}

/** Every address of the machine. A browser opens one: for a sandbox, whose links are for this machine, loopback. */
const UNSPECIFIED = ['0.0.0.0', '::'];

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Links over plain http work only on this machine, so a sandbox that listens on another address uses `localhost`. */
function sandboxLoginUrl(url: string): string {
  const login = new URL('/login', url);
  if (!isLoopbackHost(login.hostname)) login.hostname = 'localhost';
  return login.href;
}

/** Closes projects or audit logs, all at once. */
async function closeAll(parts: ReadonlyMap<string, { close(): Promise<void> }>): Promise<void> {
  await Promise.all([...parts.values()].map((part) => part.close()));
}

/** Imported on demand, because a server in front of REDCap does not need it. */
async function startSandboxes({ sandbox }: Settings): Promise<Sandboxes> {
  const { startSandboxes: start } = await import('./start-sandboxes.js');
  return start(sandbox);
}

/** Finds a free port: the sandbox's sign-in must know its own address before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await listen(probe, 0, host);
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

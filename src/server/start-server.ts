import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp, replaceStudy } from '../app/app.js';
import { loadSettings, type Settings } from './config/settings.js';
import { createHttpServer } from '../http/http-server.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { createLogger } from './logging/create-logger.js';
import { UserFinder } from '../services/user-finder.js';
import { createMetrics, listenForOperators } from './observe.js';
import { Cleanup } from './cleanup.js';
import { closeServer, connectionsOf } from './close-server.js';
import { connectSharedState } from './connect-shared-state.js';
import { createSignIn } from './create-sign-in.js';
import { listen } from './listen.js';
import { auditEntryOf, openAudit, type AuditOptions, type OpenAudit } from './open-audit.js';
import { sharedSettingsOf } from './open-project.js';
import { openProjects, openSole, type ServedProject } from './open-projects.js';
import { openStudy } from './open-study.js';
import { prepareProjects } from './reread-projects.js';
import { prepareAll, rereadTogether, type Prepare } from './reread-together.js';
import { OverloadWatch } from './overload-watch.js';
import type { Sandboxes } from './start-sandboxes.js';
import { SecretRotation, usesOf } from './secret-rotation.js';
import { serverLimitsOf, serviceOptionsOf } from './service-options.js';
import { startupChecks } from './startup-checks.js';
import { reportAtStart, reportProjects } from './startup-report.js';
import { closeAll, stopAfterFault, stopServer, type RunningParts } from './stop-server.js';

/** A server that is listening. */
export interface RunningServer {
  /** The URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The URL of the admin server; undefined without `ADMIN_PORT`. */
  readonly adminUrl: string | undefined;
  readonly isSandbox: boolean;
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
  const isSandbox = settings.capture === undefined && settings.projects === undefined;
  const sandboxes = isSandbox ? await startSandboxes(settings.values.SANDBOX_STUDY) : undefined;
  const { LOG_LEVEL: level, LOG_FORMAT: format } = settings.values;
  const logger = await createLogger({ level, isPretty: isPretty(format) });
  const cleanup = new Cleanup();
  cleanup.add(() => sandboxes?.close());
  try {
    const shared = await connectSharedState(settings, sandboxes, logger);
    cleanup.add(() => shared?.close());
    return await serve(settings, { sandboxes, shared, logger, cleanup, load });
  } catch (error) {
    // Open sockets and connections would keep the process running.
    await cleanup.run();
    throw error;
  }
}

/** The parts of a server that are not settings. */
interface ServerParts {
  readonly sandboxes: Sandboxes | undefined;
  readonly shared: SharedState | undefined;
  readonly logger: Logger;
  /** Closes everything that was opened if the server cannot start. */
  readonly cleanup: Cleanup;
  readonly load: () => Settings;
}

async function serve(
  settings: Settings,
  { sandboxes, shared, logger, cleanup, load }: ServerParts,
): Promise<RunningServer> {
  const { values, access, projects: served } = settings;
  const isSandbox = sandboxes !== undefined;
  const metrics = values.ADMIN_PORT === undefined ? undefined : await createMetrics();
  if (shared) metrics?.watchSharedState(() => shared.status);
  const auditOptions: AuditOptions = {
    logger,
    isPretty: isPretty(values.LOG_FORMAT),
  };
  const audit = await openAudit(settings, auditOptions);
  cleanup.add(() => audit?.close());
  const audits = new Map<string, OpenAudit>();
  cleanup.add(() => closeAll(audits));
  metrics?.watchAudit(() => [audit, ...audits.values()].some((each) => each?.trail.isFailing));
  const parts = { shared, metrics, logger, audit: auditOptions, hosts: new Map(), audits };
  const opened = served
    ? await openProjects(served, parts)
    : await openSole(settings, { sandboxes, shared, metrics, audit, logger });
  cleanup.add(() => closeAll(opened));
  // People who sign up are looked up in the project that has no prefix.
  const main = opened.get(served ? (served.default ?? '') : '')?.options;
  const port = values.PORT === 0 ? await freePort(values.HOST) : values.PORT;
  const url = `http://${values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST}:${port}`;
  const auth = createSignIn(
    settings,
    sandboxes,
    url,
    main && new UserFinder(main.capture, main.users),
    (event) => {
      logger.info({ event }, 'sign-in');
      metrics?.signIn(event.type);
      audit?.trail.note(auditEntryOf(event));
    },
    shared,
  );
  const watch = new OverloadWatch({
    eventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    heapPercent: values.MAX_HEAP_PERCENT,
  });
  cleanup.add(() => watch.stop());

  const apiKeys = [...access.apiKeys, ...(served?.keys ?? [])];
  // Read at each scrape, because keys can be exchanged while the service runs.
  metrics?.watchApiKeys(() => apiKeys);
  const common = {
    ...serviceOptionsOf(settings, apiKeys, shared),
    auth,
    logger,
    requests: metrics?.requests,
    isOverloaded: (running: number) => watch.isOverloaded(running),
    sandbox: sandboxes && { mailbox: sandboxes.mailbox },
  };
  const app = createApp(
    served
      ? {
          ...common,
          audit: audit?.trail,
          shared: sharedSettingsOf(shared),
          projects: Object.fromEntries([...opened].map(([name, { options }]) => [name, options])),
          defaultProject: served.default,
        }
      : { ...common, ...sole(opened).options },
  );
  const server = createHttpServer(app, serverLimitsOf(settings));
  const connections = connectionsOf(server);
  await listen(server, port, values.HOST);
  cleanup.add(() => closeServer(server, connections, { timeoutMs: 0 }));
  const admin = metrics && (await listenForOperators(settings, app, metrics));
  for (const warning of settings.warnings) logger.warn(warning);
  logger.info({ url, admin: admin?.url, sandbox: isSandbox, open: access.isOpen }, 'listening');
  logger.flush();
  const stopping = new AbortController();
  const checks = startupChecks(settings, served ? undefined : sole(opened), auth);
  void reportAtStart(checks, logger, stopping.signal);
  const reportOn = (projects: ReadonlyMap<string, ServedProject>) =>
    void reportProjects(app, projects, logger, stopping.signal);
  if (served) reportOn(opened);
  const project = served ? undefined : sole(opened);
  const secrets = new SecretRotation(settings.secretFiles, usesOf(settings, apiKeys, project), logger);
  const running: RunningParts = {
    ...{ app, server, connections, secrets, stopping, auth, watch, opened, audits },
    ...{ shared, sandboxes, admin, audit, logger },
  };
  return {
    url,
    adminUrl: admin?.url,
    isSandbox,
    logger,
    rereadSecrets:
      settings.secretFiles.length > 0 || served
        ? async () =>
            void (await Promise.all([secrets, ...tokensOf(opened)].map((rotation) => rotation.reread())))
        : undefined,
    reread: served
      ? rereadTogether(
          ['the file of projects'],
          async () =>
            prepareProjects(
              { app, opened, apiKeys, parts, isOpen: access.isOpen, reportOn },
              load(),
              secrets,
            ),
          logger,
        )
      : rereadSole(settings, { app, secrets, policy: project?.policy, logger }),
    stop: () => stopServer(running, settings),
    stopAfterFault: () => stopAfterFault(running, settings),
  };
}

function sole(opened: ReadonlyMap<string, ServedProject>): ServedProject {
  const [project] = opened.values();
  if (project === undefined) throw new TypeError('A process has a project.');
  return project;
}

function tokensOf(opened: ReadonlyMap<string, ServedProject>): SecretRotation[] {
  return [...opened.values()].flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]));
}

/** @returns undefined if nothing was read from a file */
function rereadSole(
  settings: Settings,
  {
    app,
    secrets,
    policy,
    logger,
  }: Pick<RunningParts, 'app' | 'secrets' | 'logger'> & Pick<ServedProject, 'policy'>,
): (() => Promise<void>) | undefined {
  const parts: readonly (readonly [name: string, isRead: boolean, prepare: Prepare])[] = [
    ['the policy', policy !== undefined, async () => policy?.prepare()],
    [
      'the file of the study',
      settings.values.STUDY_FILE !== undefined,
      async () => {
        const study = await openStudy(settings);
        return () => replaceStudy(app, study);
      },
    ],
    ['the secrets', settings.secretFiles.length > 0, () => secrets.prepare()],
  ];
  const read = parts.filter(([, isRead]) => isRead);
  if (read.length === 0) return undefined;
  const names = read.map(([name]) => name);
  return rereadTogether(names, () => prepareAll(read.map(([, , prepare]) => prepare)), logger);
}

/** Imported on demand, because a server in front of REDCap does not need it. */
async function startSandboxes(study: Settings['values']['SANDBOX_STUDY']): Promise<Sandboxes> {
  const { startSandboxes: start } = await import('./start-sandboxes.js');
  return start(study);
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

function isPretty(format: Settings['values']['LOG_FORMAT']): boolean {
  return format === 'auto' ? process.stdout.isTTY : format === 'pretty';
}

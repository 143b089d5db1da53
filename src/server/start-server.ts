import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { beginShutdown, createApp } from '../app/app.js';
import type { AuthSettings } from '../app/create-app-options.js';
import { callLimitsOf } from '../config/call-limits.js';
import { clientOptionsOf } from '../config/client-options.js';
import { importConcurrencyOf } from '../config/import-concurrency.js';
import type { Settings } from '../config/settings.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { createCrfClient } from '../client/create-crf-client.js';
import { createHttpServer } from '../http/http-server.js';
import { isLoopbackHost } from '../identifiers/api-url.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { createLogger } from '../logging/create-logger.js';
import type { AuthEvent } from '../services/auth/auth-event.js';
import { createAuthService } from '../services/auth/create-auth-service.js';
import { CrfService } from '../services/crf-service.js';
import type { IdempotentResult } from '../services/idempotency/idempotency-store.js';
import { userIdResolver } from '../services/user-id-resolver.js';
import { createMetrics, listenForOperators, observerOf } from './observe.js';
import { answerOverdue } from './answer-overdue.js';
import { closeServer, connectionsOf } from './close-server.js';
import { connectSharedState } from './connect-shared-state.js';
import { cursorKeyFrom, pseudonymKeyFrom } from './derived-keys.js';
import { listen } from './listen.js';
import { auditEntryOf, openAudit } from './open-audit.js';
import { OverloadWatch } from './overload-watch.js';
import type { Sandboxes } from './start-sandboxes.js';
import { reportAtStart, type StartupCheck } from './startup-report.js';

/** How long a stop waits for the identity backend to end sessions. */
const LAST_TRY_MS = 3_000;

/** A server that listens. */
export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Where operators ask; undefined without `ADMIN_PORT`. */
  readonly adminUrl: string | undefined;
  readonly isSandbox: boolean;
  readonly logger: Logger;
  /**
   * Stops in order (OPS-02): not ready at once, then a time in which it still serves, then no new connection, then an end
   * to what is still under way. Resolves when everything is closed.
   */
  stop(): Promise<void>;
  /**
   * Stops after a fault that nobody caught (OPS-06): accepts nothing more, and lets the requests under way finish within
   * the time of an orderly stop. Those without an answer by then get 500. Resolves even when something cannot be closed.
   */
  stopAfterFault(): Promise<void>;
}

/** Starts the service as its settings say: in front of REDCap and Appwrite, or on the sandbox. */
export async function startServer(settings: Settings, given?: Sandboxes): Promise<RunningServer> {
  const isSandbox = settings.capture === undefined;
  const sandboxes = isSandbox ? (given ?? (await startSandboxes(settings.values.SANDBOX_STUDY))) : undefined;
  const { LOG_LEVEL: level, LOG_FORMAT: format } = settings.values;
  const logger = await createLogger({ level, isPretty: isPretty(format) });
  const shared = await connectSharedState(settings, sandboxes, logger);
  try {
    return await serve(settings, { sandboxes, shared, logger });
  } catch (error) {
    // What listens or is connected already would keep the process alive.
    await shared?.close();
    await sandboxes?.close();
    throw error;
  }
}

/** What a server is made of beside its settings. */
interface ServerParts {
  readonly sandboxes: Sandboxes | undefined;
  readonly shared: SharedState | undefined;
  readonly logger: Logger;
}

async function serve(settings: Settings, { sandboxes, shared, logger }: ServerParts): Promise<RunningServer> {
  const { values, access } = settings;
  const isSandbox = sandboxes !== undefined;
  const metrics = values.ADMIN_PORT === undefined ? undefined : await createMetrics();
  if (shared) metrics?.watchSharedState(() => shared.status);
  const audit = await openAudit(settings, {
    logger,
    isPretty: isPretty(values.LOG_FORMAT),
    onState: (isFailing) => metrics?.auditLog({ isFailing }),
  });
  const client = createCrfClient({
    ...(settings.capture ?? sandboxes?.capture ?? { url: '', token: '' }),
    ...clientOptionsOf(settings),
    shared: shared?.resilience,
    observer: observerOf(metrics, audit?.trail),
  });
  const port = values.PORT === 0 ? await freePort(values.HOST) : values.PORT;
  const url = `http://${values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST}:${port}`;
  const users = {
    userSource: values.USER_SOURCE,
    userEmailField: values.USER_EMAIL_FIELD,
    userIdField: values.USER_ID_FIELD,
  };
  const auth = createAuth(
    settings,
    sandboxes,
    url,
    new CrfService(client, users),
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

  const app = createApp({
    capture: client,
    access: {
      apiKeys: access.apiKeys,
      allowAnonymous: access.isOpen,
      isLoopbackOnly: access.isLoopbackOnly,
      sessionScopes: access.sessionScopes,
    },
    auth,
    users,
    files: { limitBytes: values.FILE_LIMIT_BYTES },
    timeZone: values.CAPTURE_TIME_ZONE,
    imports: {
      recordIdMinLength: values.RECORD_ID_MIN_LENGTH,
      chunkRows: values.IMPORT_CHUNK_ROWS,
      chunkBytes: values.IMPORT_CHUNK_BYTES,
      concurrency: importConcurrencyOf(values),
      limitBytes: values.IMPORT_LIMIT_BYTES,
    },
    logger,
    helpUrl: values.HELP_URL,
    study: {
      start: values.STUDY_START,
      end: values.STUDY_END,
      target: values.STUDY_TARGET,
      dateField: values.STUDY_DATE_FIELD,
      smallCell: values.SMALL_CELL,
    },
    docs: values.DOCS === 'auto' ? values.NODE_ENV !== 'production' : values.DOCS === 'on',
    audit: audit?.trail,
    requests: metrics?.requests,
    pseudonymKey: settings.capture && pseudonymKeyFrom(settings.capture.token),
    cursorKey: settings.capture && cursorKeyFrom(settings.capture.token),
    trustProxy: values.TRUST_PROXY,
    limits: {
      bodyBytes: values.BODY_LIMIT_BYTES,
      urlBytes: values.URL_LIMIT_BYTES,
      exportMinBytesPerSecond: values.EXPORT_MIN_BYTES_PER_SECOND,
      ...callLimitsOf(settings),
      stores: shared?.limitStore,
    },
    shared: shared && { idempotency: shared.idempotencyStore<IdempotentResult>(), ping: () => shared.ping() },
    isOverloaded: () => watch.isOverloaded,
    sandbox: sandboxes && { mailbox: sandboxes.mailbox },
  });
  const server = createHttpServer(app, {
    headersTimeoutMs: values.SERVER_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: values.SERVER_IDLE_TIMEOUT_MS,
    keepAliveTimeoutMs: values.SERVER_KEEP_ALIVE_MS,
    maxConnections: values.SERVER_MAX_CONNECTIONS,
    maxConnectionsPerNetwork: values.SERVER_MAX_CONNECTIONS_PER_NETWORK,
  });
  const connections = connectionsOf(server);
  await listen(server, port, values.HOST);

  const admin = metrics && (await listenForOperators(settings, app, metrics));
  for (const warning of settings.warnings) logger.warn(warning);
  logger.info({ url, admin: admin?.url, sandbox: isSandbox, open: access.isOpen }, 'listening');
  logger.flush();
  const stopping = new AbortController();
  void reportAtStart(startupChecks(settings, client, auth), logger, stopping.signal);
  // Late in the stop, so that sign-outs of the last moment count too; an identity backend that hangs is not waited for.
  const confirmEndedSessions = () =>
    Promise.race([auth?.service.confirmEndedSessions(), sleep(LAST_TRY_MS, undefined, { ref: false })]);
  const timeoutMs = values.SHUTDOWN_TIMEOUT_MS;
  return {
    url,
    adminUrl: admin?.url,
    isSandbox,
    logger,
    stop: async () => {
      stopping.abort();
      beginShutdown(app);
      await sleep(values.DRAIN_DELAY_MS ?? (values.NODE_ENV === 'production' ? 5000 : 0));
      await confirmEndedSessions();
      await closeServer(server, connections, { timeoutMs });
      watch.stop();
      client.close();
      await shared?.close();
      await sandboxes?.close();
      await admin?.close();
      await audit?.close();
      logger.info('stopped');
      logger.flush();
    },
    stopAfterFault: async () => {
      stopping.abort();
      beginShutdown(app);
      // The fault may have been in the closing itself.
      await Promise.race([
        closeServer(server, connections, { timeoutMs, onOverdue: answerOverdue }),
        sleep(timeoutMs + LAST_TRY_MS),
      ]);
      await confirmEndedSessions();
      await shared?.close();
      await audit?.close();
    },
  };
}

/** What is configured is asked once at start; the sandbox, which is this process, is not. */
function startupChecks(
  { capture, signIn }: Settings,
  client: CrfClient,
  auth: AuthSettings | undefined,
): StartupCheck[] {
  const redcap: StartupCheck = {
    name: 'REDCap',
    run: async (signal) => `version ${await client.getVersion({ signal, caller: 'start' })}`,
  };
  const appwrite: StartupCheck = {
    name: 'Appwrite',
    run: async () => {
      await auth?.service.checkReadiness();
      return 'it knows the project and the key';
    },
  };
  return [...(capture ? [redcap] : []), ...(signIn ? [appwrite] : [])];
}

/** Imported when it is needed: a server in front of REDCap has no use for it. */
async function startSandboxes(study: Settings['values']['SANDBOX_STUDY']): Promise<Sandboxes> {
  const { startSandboxes: start } = await import('./start-sandboxes.js');
  return start(study);
}

/** Appwrite as configured; on the sandbox its own; otherwise nobody signs in. */
function createAuth(
  { signIn, sandboxDomainsRegexp, values }: Settings,
  sandboxes: Sandboxes | undefined,
  url: string,
  crf: CrfService,
  onEvent: (event: AuthEvent) => void,
  shared: SharedState | undefined,
): AuthSettings | undefined {
  const appwrite = signIn ? { ...signIn, apiKey: signIn.apiKey.reveal() } : sandboxes?.identity;
  if (appwrite === undefined) return undefined;
  const loginUrl = signIn?.loginUrl ?? sandboxLoginUrl(url);
  const service = createAuthService({
    appwrite: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
    loginUrl,
    domainValidation: { allowedDomainsRegexp: signIn?.allowedDomainsRegexp ?? sandboxDomainsRegexp },
    signedLinksOnly: values.SIGNED_LINKS_ONLY === 'true',
    loginConfirm: values.LOGIN_CONFIRM,
    sessionMaxAgeSeconds: values.SESSION_MAX_AGE_SECONDS,
    sessionIdleSeconds: values.SESSION_IDLE_SECONDS,
    stores: shared?.keyValueStore,
    resolveUserId: userIdResolver(crf),
    onEvent,
  });
  return { service, trustedOrigins: [new URL(loginUrl).origin], isSandbox: signIn === undefined };
}

/** Links over plain http are for this machine alone: a sandbox that listens on every address is signed in to from here. */
function sandboxLoginUrl(url: string): string {
  const login = new URL('/login', url);
  if (!isLoopbackHost(login.hostname)) login.hostname = 'localhost';
  return login.href;
}

/** A port that is free now: the sandbox's sign-in has to know its own address before the server listens. */
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

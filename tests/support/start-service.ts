import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app/app.js';
import type {
  CreateAppOptions,
  ProjectOptions,
  ProjectsAppOptions,
} from '../../src/app/create-app-options.js';
import type { CrfClient } from '../../src/gateways/redcap/crf-client.js';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { SCOPES, type Scope } from '../../src/domain/identifiers/scope.js';
import { startTestSandbox } from './start-sandbox.js';

/** The service over HTTP, with a sandbox or with the client in the options. */
export interface TestService {
  readonly url: string;
  readonly server: Server;
  readonly client: CrfClient;
  /** The Authorization header of a key with every scope. */
  readonly authorization: string;
  close(): Promise<void>;
}

/** What `npm run test:projects` puts in front of every route: the service then has several projects. */
export const PREFIX = process.env.CRF_TEST_PROJECTS === undefined ? '' : '/projects/study';

function putProjectInFront(request: IncomingMessage): void {
  const { url = '' } = request;
  // Links and redirects of the service begin with it already.
  if (url.startsWith('/') && !url.startsWith(PREFIX)) request.url = PREFIX + url;
}

/** Returns the options as they are, or those of a service in which the same project is one of two and no default. */
function inFrontOfEveryRoute(options: CreateAppOptions): CreateAppOptions | ProjectsAppOptions {
  if (PREFIX === '') return options;
  const { capture, policy, users, imports, timeZone, audit, pseudonymKey, shared, cursorKey } = options;
  const { study, redcapUrl } = options;
  const {
    access = {},
    auth,
    files,
    logger,
    requests,
    docs,
    apiDoor,
    trustProxy,
    limits,
    isOverloaded,
  } = options;
  // Each is named, so that none is forgotten.
  const project: { [Name in keyof Required<ProjectOptions>]: ProjectOptions[Name] } = {
    capture,
    policy,
    users,
    imports,
    timeZone,
    audit,
    pseudonymKey,
    shared,
    cursorKey,
    study,
    redcapUrl,
  };
  const projects = ['study'];
  return {
    ...{ auth, files, logger, requests, docs, apiDoor, trustProxy, limits, isOverloaded, audit, shared },
    ...{ sandbox: options.sandbox, helpUrl: options.helpUrl },
    access: {
      ...access,
      apiKeys: access.apiKeys?.map((key) => ({ projects, ...key })),
      sessions: [{ email: '*', projects, scopes: access.sessionScopes ?? ['project:read'] }],
    },
    projects: { study: project, another: { capture } },
  };
}

/** Starts the service with one API key that has every scope, and without rate limits. */
export async function startService(options: Partial<CreateAppOptions> = {}): Promise<TestService> {
  const sandbox = options.capture === undefined ? await startTestSandbox() : undefined;
  const client = options.capture ?? createCrfClient({ url: sandbox?.url ?? '', token: sandbox?.token ?? '' });
  const { authorization, apiKey } = keyWith(...SCOPES);
  const app = createApp(
    inFrontOfEveryRoute({
      capture: client,
      access: { apiKeys: [apiKey] },
      ...options,
      limits: { callsPerMinute: 0, failedAuthPerMinute: 0, ...options.limits },
    }),
  );
  const server = createHttpServer(app);
  if (PREFIX !== '') server.prependListener('request', putProjectInFront);
  const url = await listen(server);
  return {
    url,
    server,
    client,
    authorization,
    close: async () => {
      await closeServer(server);
      client.close();
      await sandbox?.close();
    },
  };
}

/** Creates an API key: the header that its owner sends, and the entry for the service. */
export function keyWith(...scopes: readonly Scope[]) {
  const key = createApiKey();
  return { authorization: `Bearer ${key}`, apiKey: { name: 'test', sha256: hashApiKey(key), scopes } };
}

/** Listens on a free loopback port. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await closed;
}

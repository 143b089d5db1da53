import http from 'node:http';
import https from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { hashApiKey } from '../../../src/services/access/api-key.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { freePort } from '../../support/free-port.js';
import { NginxServer } from '../../support/nginx-server.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { RedisServer } from '../../support/redis-server.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { numbering } from '../../support/studies.js';
import { until } from '../../support/until.js';

/** The duration of an import in REDCap: long enough that many are in progress when something fails. */
const IMPORT_MS = 40;

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's network: a loopback address. */
  readonly from?: string;
}

export interface Answer {
  /** 0 if the connection broke before the answer was complete. */
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Three replicas of the built server behind nginx, with one Redis, one REDCap and one Appwrite. */
export class ReplicaSet {
  readonly replicas: ServerProcess[] = [];

  private constructor(
    readonly redcap: Awaited<ReturnType<typeof startTestSandbox>>,
    /** The proxy in front of REDCap, which counts calls. */
    readonly upstream: FaultServer,
    readonly appwrite: AppwriteSandbox,
    readonly redis: RedisServer,
    readonly nginx: NginxServer,
    readonly ports: readonly number[],
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** @param keys names of API keys; `keyOf` returns each */
  static async start(keys: readonly string[], environment: Record<string, string> = {}): Promise<ReplicaSet> {
    const redcap = await startTestSandbox(numbering(createDemoStudy({ participants: 30 })));
    const upstream = await startFaultServer(async (request) => {
      if (request.form.has('data')) await pause(IMPORT_MS);
      return forward(redcap.url, request);
    });
    const appwrite = await startAppwriteSandbox();
    const redis = await RedisServer.start();
    const ports = [await freePort(), await freePort(), await freePort()];
    const nginx = await NginxServer.start(ports);
    const scopes = 'project:read+records:read+records:write+design:write';
    const set = new ReplicaSet(redcap, upstream, appwrite, redis, nginx, ports, {
      ...NO_LOAD_SHEDDING,
      REDIS_URL: redis.url,
      // A Redis that is slow because other tests are running is not unavailable.
      REDIS_TIMEOUT_MS: '2500',
      CAPTURE_API_URL: upstream.url,
      CAPTURE_API_TOKEN: redcap.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      CAPTURE_QUEUE_LIMIT: '10000',
      CAPTURE_QUEUE_TIMEOUT_MS: '60000',
      API_KEYS: keys.map((name) => `${name}:${hashApiKey(ReplicaSet.keyOf(name))}:${scopes}`).join(','),
      API_CALLS_PER_MINUTE: '0',
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: 'http://localhost/login',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
      TRUST_PROXY: '1',
      ...environment,
    });
    try {
      await Promise.all(ports.map((_, index) => set.startReplica(index)));
    } catch (error) {
      // Programs that already listen would outlive the tests.
      await set.dispose();
      throw error;
    }
    return set;
  }

  static keyOf(name: string): string {
    return `crf_${name.padEnd(43, '0')}`;
  }

  async startReplica(index: number): Promise<void> {
    const port = String(this.ports[index]);
    this.replicas[index] = await runServer({ ...this.environment, PORT: port });
    await until(async () => (await this.sendTo(index, '/health/ready')).status === 200);
  }

  /** Ends a replica, and resolves when it has exited. @returns its exit code */
  async end(index: number, signal: NodeJS.Signals): Promise<number | null> {
    const replica = this.replicas[index];
    replica?.kill(signal);
    return replica === undefined ? null : replica.exited;
  }

  /** Sends a request through nginx, over a new connection. */
  send(path: string, sent: Sent = {}): Promise<Answer> {
    const { url, host, certificate: ca } = this.nginx;
    return exchange(https.request(url + path, { ...optionsOf(sent, { host }), ca, servername: host }), sent);
  }

  /** Sends a request to one replica. */
  sendTo(index: number, path: string, sent: Sent = {}): Promise<Answer> {
    return exchange(http.request(`http://127.0.0.1:${this.ports[index]}${path}`, optionsOf(sent)), sent);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.replicas.map((_, index) => this.end(index, 'SIGKILL')));
    await this.nginx.dispose();
    await this.redis.dispose();
    await this.appwrite.close();
    await this.upstream.close();
    await this.redcap.close();
  }
}

/** @returns headers of a caller with an API key */
export function as(name: string, more: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${ReplicaSet.keyOf(name)}`, ...more };
}

/**
 * @returns an import of one record, identified by its mark. A record that REDCap numbers is stored twice if it is sent
 * twice
 */
export function importOf(
  mark: string,
  key: string,
  name: string,
  isNumbered = true,
): { path: string; sent: Sent } {
  const rows = [{ record_id: `REPLICA-RECORD-${mark.padStart(10, '0')}`, last_name: mark }];
  return {
    path: `/api/v1/records${isNumbered ? '?forceAutoNumber=true' : ''}`,
    sent: {
      method: 'POST',
      headers: as(name, { 'content-type': 'application/json', 'idempotency-key': key }),
      body: JSON.stringify({ records: rows }),
    },
  };
}

/** Uses a new connection for each request. */
function optionsOf(
  { method = 'GET', headers = {}, from }: Sent,
  more: Readonly<Record<string, string>> = {},
): http.RequestOptions {
  return {
    method,
    headers: { ...headers, ...more },
    agent: false,
    ...(from !== undefined && { localAddress: from }),
  };
}

function exchange(request: http.ClientRequest, { body }: Sent): Promise<Answer> {
  return new Promise((resolve) => {
    const broken = (): void => resolve({ status: 0, headers: {}, text: '' });
    request.on('error', broken);
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      readText(response).then((text) => resolve({ status, headers, text }), broken);
    });
    request.end(body);
  });
}

import http from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createDemoStudy } from '../../src/sandbox/demo-study/demo-study.js';
import { startAppwriteSandbox, type AppwriteSandbox } from '../../src/sandbox/appwrite/appwrite-sandbox.js';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { SCOPES } from '../../src/identifiers/scope.js';
import { runServer, type ServerProcess } from '../support/run-server.js';
import { startTestSandbox } from '../support/start-sandbox.js';
import type { FuzzAnswer } from './check-answer.js';
import type { FuzzRequest } from './fuzz-request.js';

/** Longer than any answer takes. */
const PATIENCE_MS = 20_000;

/** The built server with a small study, without rate limits. */
export class FuzzTarget {
  // A connection for each request: kept ones, from ever new addresses, would fill the server's places.
  readonly #agent = new http.Agent({ keepAlive: false, maxSockets: 16 });
  #sent = 0;

  private constructor(
    readonly server: ServerProcess,
    private readonly redcap: Awaited<ReturnType<typeof startTestSandbox>>,
    private readonly appwrite: AppwriteSandbox,
    private readonly authorization: string,
  ) {}

  /** @param isOpen whether anybody may do anything, without a key and a sign-in */
  static async start({ isOpen = false } = {}): Promise<FuzzTarget> {
    const redcap = await startTestSandbox(createDemoStudy({ participants: 12 }));
    const appwrite = await startAppwriteSandbox();
    const key = createApiKey();
    const server = await runServer({
      CAPTURE_API_URL: redcap.url,
      CAPTURE_API_TOKEN: redcap.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      CAPTURE_BREAKER_FAILURES: '0',
      ...(!isOpen && {
        APPWRITE_ENDPOINT: appwrite.endpoint,
        APPWRITE_PROJECT_ID: appwrite.projectId,
        APPWRITE_API_KEY: appwrite.apiKey,
        LOGIN_URL: 'http://localhost/login',
        ALLOWED_DOMAINS_REGEXP: 'example\\.org',
        API_KEYS: `fuzz:${hashApiKey(key)}:${SCOPES.join('+')}`,
      }),
      API_CALLS_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
    });
    return new FuzzTarget(server, redcap, appwrite, `Bearer ${key}`);
  }

  send({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    this.#sent += 1;
    return new Promise((resolve) => {
      const broken = (): void => resolve({ status: 0, headers: {}, body: '' });
      const request = http.request(this.server.url, {
        method,
        path,
        agent: this.#agent,
        // The limits of an address would answer most requests in place of what is tested.
        localAddress: `127.0.${(this.#sent >> 5) & 255}.${1 + (this.#sent >> 13)}`,
        headers: {
          accept: 'application/json',
          authorization: this.authorization,
          ...headers,
          ...(body !== undefined && { 'content-length': String(body.length) }),
        },
      });
      request.setTimeout(PATIENCE_MS, () => request.destroy());
      request.on('error', broken);
      request.once('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        readText(response).then((text) => resolve({ status, headers: answered, body: text }), broken);
      });
      request.end(body);
    });
  }

  async isAlive(): Promise<boolean> {
    const { status } = await this.send({
      method: 'GET',
      path: '/health',
      headers: {},
      body: undefined,
      broken: undefined,
    });
    return status === 200 && !this.server.log.some(({ level }) => level === 'fatal' || level === 60);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.server.kill('SIGKILL');
    await this.server.exited;
    await this.appwrite.close();
    await this.redcap.close();
  }
}

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { createDemoStudy } from '../../src/sandbox/demo-study/demo-study.js';
import { startAppwriteSandbox, type AppwriteSandbox } from '../../src/sandbox/appwrite/appwrite-sandbox.js';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { SCOPES } from '../../src/domain/identifiers/scope.js';
import { runServer, type ServerProcess } from '../support/run-server.js';
import { until } from '../support/until.js';
import { startTestSandbox } from '../support/start-sandbox.js';
import type { FuzzAnswer } from './check-answer.js';
import type { FuzzRequest } from './fuzz-request.js';

/** Longer than any answer takes. */
const PATIENCE_MS = 20_000;

/** Stands for the cookie of a person who has signed in. */
export const SIGNED_IN = 'signed in';

/** The built server with a small study, which is also below `/projects/study`, without rate limits. */
export class FuzzTarget {
  // A connection for each request: kept ones, from ever new addresses, would fill the server's places.
  readonly #agent = new http.Agent({ keepAlive: false, maxSockets: 16 });
  #sent = 0;
  #session: string | undefined;

  private constructor(
    readonly server: ServerProcess,
    private readonly redcap: Awaited<ReturnType<typeof startTestSandbox>>,
    private readonly appwrite: AppwriteSandbox,
    private readonly authorization: string,
    private readonly projectsFile: string,
  ) {}

  /** @param isOpen whether anybody may do anything, without a key and a sign-in */
  static async start({ isOpen = false } = {}): Promise<FuzzTarget> {
    const redcap = await startTestSandbox(createDemoStudy({ participants: 12 }));
    const appwrite = await startAppwriteSandbox();
    const key = createApiKey();
    const projectsFile = join(tmpdir(), `fuzz-${randomBytes(8).toString('hex')}.yaml`);
    const project = { url: redcap.url, tokenEnv: 'STUDY_TOKEN' };
    const projects = { version: 1, default: 'study', projects: { study: project } };
    await writeFile(projectsFile, JSON.stringify(projects));
    const server = await runServer({
      PROJECTS_FILE: projectsFile,
      STUDY_TOKEN: redcap.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      CAPTURE_BREAKER_FAILURES: '0',
      ...(!isOpen && {
        APPWRITE_ENDPOINT: appwrite.endpoint,
        APPWRITE_PROJECT_ID: appwrite.projectId,
        APPWRITE_API_KEY: appwrite.apiKey,
        LOGIN_URL: 'http://localhost/login',
        ALLOWED_DOMAINS_REGEXP: 'example\\.org',
        SESSION_SCOPES: 'project:read,records:read,records:write,log:read',
        API_KEYS: `fuzz:${hashApiKey(key)}:${SCOPES.join('+')}`,
      }),
      API_CALLS_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
    });
    return new FuzzTarget(server, redcap, appwrite, `Bearer ${key}`, projectsFile);
  }

  /** Signs a person in, who from then on asks for the pages that are requested with the cookie `SIGNED_IN`. */
  async signIn(): Promise<void> {
    const email = `${randomBytes(8).toString('hex')}@example.org`;
    const body = Buffer.from(JSON.stringify({ email }));
    const headers = { 'content-type': 'application/json' };
    await this.send({ method: 'POST', path: '/api/v1/auth/signup', headers, body, broken: undefined });
    const mail = await until(() => this.appwrite.mails.find(({ to }) => to === email));
    const { pathname, search } = new URL(mail.link);
    const path = `${pathname}${search}`;
    const answer = await this.send({ method: 'GET', path, headers: {}, body: undefined, broken: undefined });
    this.#session = [answer.headers['set-cookie']]
      .flat()
      .map((line) => line?.split(';')[0] ?? '')
      .find((cookie) => cookie.startsWith('crf_session='));
    if (this.#session === undefined) throw new Error(`The link was answered with ${answer.status}.`);
  }

  send({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    this.#sent += 1;
    return new Promise((resolve) => {
      const broken = (): void => resolve({ status: 0, headers: {}, body: '' });
      const request = http.request(this.server.url, {
        method,
        // Every third one below the name of the project, where the answers are the same.
        path: this.#sent % 3 === 0 && path.startsWith('/') ? `/projects/study${path}` : path,
        agent: this.#agent,
        // The limits of an address would answer most requests in place of what is tested.
        localAddress: `127.0.${(this.#sent >> 5) & 255}.${1 + (this.#sent >> 13)}`,
        headers: {
          accept: 'application/json',
          authorization: this.authorization,
          ...headers,
          ...(headers['cookie'] === SIGNED_IN && { cookie: this.#session ?? '' }),
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
    await rm(this.projectsFile);
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
import { createCrfClient } from '../../src/client/create-crf-client.js';
import { readPolicyFile } from '../../src/policy/policy-file.js';
import { acceptAll, writePolicyLock } from '../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../src/records/load-project-structure.js';
import { DOOR_TOKEN } from './door-requests.js';
import type { FuzzAnswer } from './check-answer.js';
import type { FuzzRequest } from './fuzz-request.js';

/** Longer than any answer takes. */
const PATIENCE_MS = 20_000;

/** Stands for the cookie of a person who has signed in. */
export const SIGNED_IN = 'signed in';

interface FuzzTargetOptions {
  readonly isOpen?: boolean;
  readonly policy?: string | undefined;
}

/** Writes a policy for the key of the requests, with what it shows of the project accepted. */
async function writePolicy(
  path: string,
  policy: string,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<void> {
  const text = `version: 1\npolicies:\n  fuzz: ${policy}\nbindings:\n  - { key: fuzz, policy: fuzz }\n`;
  const client = createCrfClient({ url, token });
  await writeFile(path, text);
  await writeFile(
    path.replace('.yaml', '.lock'),
    writePolicyLock(acceptAll(readPolicyFile(text), await loadProjectStructure(client))),
  );
  client.close();
}

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
    /** The key of the requests, which stands for `DOOR_TOKEN` in a body. */
    readonly key: string,
    private readonly folder: string,
  ) {}

  /**
   * @param options.isOpen whether anybody may do anything, without a key and a sign-in
   * @param options.policy of the key
   */
  static async start({ isOpen = false, policy }: FuzzTargetOptions = {}): Promise<FuzzTarget> {
    const redcap = await startTestSandbox(createDemoStudy({ participants: 12 }));
    const appwrite = await startAppwriteSandbox();
    const key = createApiKey();
    const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
    const projectsFile = join(folder, 'projects.yaml');
    const project = { url: redcap.url, tokenEnv: 'STUDY_TOKEN', policy: policy && 'policy.yaml' };
    if (policy !== undefined) await writePolicy(join(folder, 'policy.yaml'), policy, redcap);
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
    return new FuzzTarget(server, redcap, appwrite, key, folder);
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

  send({ method, path, headers, body: sent }: FuzzRequest): Promise<FuzzAnswer> {
    this.#sent += 1;
    const body =
      sent?.includes(DOOR_TOKEN) === true
        ? Buffer.from(sent.toString('latin1').replaceAll(DOOR_TOKEN, this.key), 'latin1')
        : sent;
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
          authorization: `Bearer ${this.key}`,
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
    await rm(this.folder, { recursive: true });
  }
}

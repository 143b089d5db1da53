import { expect } from 'chai';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import type { StudyUser } from '../../../src/sandbox/redcap/study.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { accountAnswer, sessionAnswer, tokenAnswer } from '../../support/identity-answers.js';
import { describeWith } from '../../support/needed-programs.js';
import { appwriteError, startRecordingIdentityServer } from '../../support/recording-identity-server.js';
import { RedisServer } from '../../support/redis-server.js';
import { runCrf } from '../../support/run-crf.js';
import { runServer } from '../../support/run-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { keyWith } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

const VERSION = '/api/v1/project/version';

/** A key for the service, and its line in the file. */
function key(name: string): { readonly authorization: string; readonly line: string } {
  const { authorization, apiKey } = keyWith('project:read');
  return { authorization, line: `${name}:${apiKey.sha256}:project:read\n` };
}

describe('Keys and tokens in files', () => {
  let folder: string;
  let running: RunningServer | undefined;
  let closers: (() => Promise<unknown>)[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-secrets-'));
    closers = [];
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    for (const close of closers) await close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = (name: string): string => join(folder, name);

  /** Replaces a file as `mv` does, so that nobody reads half of it. */
  async function put(name: string, text: string): Promise<void> {
    await writeFile(file(`${name}.new`), text);
    await rename(file(`${name}.new`), file(name));
  }

  async function start(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
    running = await startWholeService(environment);
    return running;
  }

  const status = async (url: string, authorization: string): Promise<number> =>
    (await fetch(`${url}${VERSION}`, { headers: { authorization } })).status;

  /** Collects what the service logs from now on. */
  function logOf({ logger }: RunningServer): string[] {
    const lines: string[] = [];
    for (const level of ['info', 'error'] as const)
      logger[level] = (...line: unknown[]) => void lines.push(JSON.stringify(line));
    return lines;
  }

  it('OPS-08: accepts a new API key and refuses a removed one without a restart', async () => {
    const [one, two] = [key('one'), key('two')];
    await put('keys', one.line);
    const { url, rereadSecrets } = await start({ API_KEYS_FILE: file('keys') });
    expect([await status(url, one.authorization), await status(url, two.authorization)]).to.deep.equal([
      200, 401,
    ]);

    await put('keys', one.line + two.line);
    await rereadSecrets?.();
    expect([await status(url, one.authorization), await status(url, two.authorization)]).to.deep.equal([
      200, 200,
    ]);

    const revoked = await runCrf(['key', 'revoke', 'one', '--yes'], {
      environment: { API_KEYS_FILE: file('keys') },
    });
    expect(revoked.exitCode, revoked.stderr).to.equal(0);
    await rereadSecrets?.();
    expect([await status(url, one.authorization), await status(url, two.authorization)]).to.deep.equal([
      401, 200,
    ]);
  });

  it('OPS-08: notices the links that Kubernetes exchanges, without being told', async () => {
    const [one, two] = [key('one'), key('two')];
    for (const [name, text] of [
      ['1', one.line],
      ['2', two.line],
    ] as const) {
      await mkdir(file(name));
      await writeFile(join(file(name), 'keys'), text);
    }
    await symlink('1', file('..data'));
    await symlink(join('..data', 'keys'), file('keys'));
    const { url } = await start({ API_KEYS_FILE: file('keys') });
    expect(await status(url, one.authorization)).to.equal(200);

    await symlink('2', file('..data_tmp'));
    await rename(file('..data_tmp'), file('..data'));

    await until(async () => (await status(url, one.authorization)) === 401);
    expect(await status(url, two.authorization)).to.equal(200);
  });

  for (const [what, spoil] of [
    ['is malformed', () => put('keys', 'SENTINEL:nothing')],
    ['is empty', () => put('keys', ' \n')],
    ['has only a comment', () => put('keys', '# SENTINEL')],
    ['is gone', () => rm(file('keys'))],
  ] as const) {
    it(`OPS-08: keeps the previous keys while the file ${what}, says so once, and uses the next good one`, async () => {
      const [one, two] = [key('one'), key('two')];
      await put('keys', one.line);
      const service = await start({ API_KEYS_FILE: file('keys') });
      const lines = logOf(service);

      await spoil();
      await service.rereadSecrets?.();
      await service.rereadSecrets?.();

      expect(await status(service.url, one.authorization)).to.equal(200);
      const said = lines.filter((line) => line.includes('API_KEYS_FILE'));
      expect(said).to.have.length(1);
      expect(said[0]).to.include('the previous one is kept').and.to.include('"rule"');
      expect(lines.join()).to.not.include('SENTINEL');

      await put('keys', two.line);
      await service.rereadSecrets?.();
      expect(await status(service.url, two.authorization)).to.equal(200);
      expect(lines.at(-1)).to.not.include(two.line.slice(4, 40));
    });
  }

  it('OPS-08: uses a new REDCap token, and keeps page cursors', async () => {
    const study = createDemoStudy({ participants: 30 });
    const users: StudyUser[] = [...study.users];
    const sandbox = await startTestSandbox({ ...study, users });
    closers.push(() => sandbox.close());
    const reader = keyWith('records:read');
    await put('token', sandbox.token);
    const service = await start({
      CAPTURE_API_URL: sandbox.url,
      CAPTURE_API_TOKEN_FILE: file('token'),
      API_KEYS: `reader:${reader.apiKey.sha256}:records:read`,
    });
    const page = async (query: string): Promise<Response> =>
      fetch(`${service.url}/api/v1/records?pageSize=10${query}`, {
        headers: { authorization: reader.authorization },
      });
    const first = await page('');
    const { pathname, search } = new URL(
      /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '',
      service.url,
    );
    expect(pathname).to.equal('/api/v1/records');

    const owner = users.findIndex(({ token }) => token === sandbox.token);
    const renewed = 'AB12'.repeat(8);
    users.splice(owner, 1, { ...users[owner], token: renewed } as StudyUser);
    expect((await page('')).status, 'with the token that REDCap has withdrawn').to.equal(502);
    await put('token', `${renewed}\n`);
    await service.rereadSecrets?.();

    expect((await page('')).status).to.equal(200);
    const next = await fetch(service.url + pathname + search, {
      headers: { authorization: reader.authorization },
    });
    expect(next.status, 'a cursor from before').to.equal(200);
  });

  it('OPS-08: uses a new Appwrite key, and keeps sessions', async () => {
    const appwrite = await startRecordingIdentityServer();
    closers.push(() => appwrite.stop());
    let valid = 'standard_one';
    const guarded =
      (json: object, code = 200) =>
      ({ headers }: { readonly headers: NodeJS.Dict<unknown> }) =>
        headers['x-appwrite-key'] === undefined || headers['x-appwrite-key'] === valid
          ? { status: code, json }
          : appwriteError(401, 'user_unauthorized');
    appwrite.on('POST /account/tokens/magic-url', guarded(tokenAnswer(), 201));
    appwrite.on('POST /account/sessions/token', guarded(sessionAnswer('ada'), 201));
    appwrite.on('GET /account', guarded(accountAnswer('ada')));
    await put('key', valid);
    const service = await start({
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: 'study',
      APPWRITE_API_KEY_FILE: file('key'),
      LOGIN_URL: 'http://localhost/login',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
      SIGNED_LINKS_ONLY: 'false',
      CAPTURE_API_URL: 'http://127.0.0.1:9/api/',
      CAPTURE_API_TOKEN: 'A'.repeat(32),
    });
    const browser = new SignInClient(service.url);
    await browser.send('/login?userId=ada&secret=one');
    expect(await browser.status('/api/v1/auth/me')).to.equal(200);
    const signUp = async (): Promise<number> =>
      (await browser.post('/api/v1/auth/signup', { email: `p${Math.random()}@example.org` })).status;

    valid = 'standard_two';
    expect(await signUp(), 'with the key that Appwrite has withdrawn').to.be.above(499);
    await put('key', valid);
    await service.rereadSecrets?.();

    expect(await signUp()).to.equal(200);
    expect(await browser.status('/api/v1/auth/me')).to.equal(200);
  });

  it('OPS-08: rereads the files on SIGHUP', async () => {
    const [one, two] = [key('one'), key('two')];
    await put('keys', one.line);
    const service = await runServer({ API_KEYS_FILE: file('keys') });
    closers.push(() => {
      service.kill('SIGTERM');
      return service.exited;
    });

    await put('keys', two.line);
    service.kill('SIGHUP');

    await until(() => service.log.some(({ msg }) => msg === 'a secret has changed and is in use'));
    expect([
      await status(service.url, one.authorization),
      await status(service.url, two.authorization),
    ]).to.deep.equal([401, 200]);
  });
});

describeWith(['redis'], 'The password of Redis in a file', () => {
  it('OPS-08: is used for the next connection, and for the same server only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crf-secrets-'));
    const path = join(folder, 'redis');
    const redis = await RedisServer.start();
    const password = (text: string) =>
      redis.command('ACL', 'SETUSER', 'crf', 'on', 'resetpass', `>${text}`, '~*', '&*', '+@all');
    await password('one');
    const urlWith = (text: string): string => redis.url.replace('//', `//crf:${text}@`);
    await writeFile(path, urlWith('one'));
    const service = await startWholeService({ REDIS_URL_FILE: path, ADMIN_PORT: '0' });
    const lines: string[] = [];
    service.logger.error = (...line: unknown[]) => void lines.push(JSON.stringify(line));
    const isUp = async (): Promise<boolean> =>
      (await (await fetch(`${service.url}/health/ready`)).text()).includes('"redis","status":"up"');
    try {
      await until(isUp);
      await password('two');
      await redis.command('CLIENT', 'KILL', 'USER', 'crf');
      await until(async () => !(await isUp()));
      await writeFile(path, 'redis://crf:SENTINEL@127.0.0.1:1');
      await service.rereadSecrets?.();
      expect(lines.join()).to.include('names another server').and.not.include('SENTINEL');

      await writeFile(path, urlWith('two'));
      await service.rereadSecrets?.();

      await until(isUp);
    } finally {
      await service.stop();
      await redis.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import { expect } from 'chai';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { createApiKey, hashApiKey } from '../../../src/services/access/api-key.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

const ADA = 'ada@example.org';
const PAGE = { accept: 'text/html' };

describeWith(['redis'], 'Sign-in with two replicas', () => {
  let redis: RedisServer;
  let redcap: Awaited<ReturnType<typeof startTestSandbox>>;
  let appwrite: AppwriteSandbox;
  let one: RunningServer;
  let other: RunningServer;
  let browser: SignInClient;

  beforeEach(async () => {
    [redis, redcap, appwrite] = await Promise.all([
      RedisServer.start(),
      startTestSandbox(),
      startAppwriteSandbox(),
    ]);
    [one, other] = await Promise.all([startReplica(), startReplica()]);
    browser = new SignInClient(one.url);
  });
  afterEach(async () => {
    redis.resume();
    await Promise.all([one.stop(), other.stop()]);
    await Promise.all([redis.dispose(), appwrite.close(), redcap.close()]);
  });

  function startReplica(): Promise<RunningServer> {
    return startWholeService({
      REDIS_URL: redis.url,
      CAPTURE_API_URL: redcap.url,
      CAPTURE_API_TOKEN: redcap.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: 'http://localhost/login',
      LOGIN_CONFIRM: 'unbound',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
    });
  }

  /** Requests a link from one replica, and returns its path and query. */
  async function link(): Promise<string> {
    const mails = appwrite.mails.length;
    expect((await browser.post('/api/v1/auth/signup', { email: ADA })).status).to.equal(200);
    const mail = await until(() => appwrite.mails[mails]);
    const { pathname, search } = new URL(mail.link);
    return pathname + search;
  }

  const me = (server: RunningServer, client = browser): Promise<number> =>
    client.status(`${server.url}/api/v1/auth/me`);
  const form = (client: SignInClient, server: RunningServer, path: string, fields: URLSearchParams) =>
    client.send(server.url + path, {
      method: 'POST',
      headers: {
        ...PAGE,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: fields.toString(),
    });

  /** Waits until both replicas have noticed. */
  async function untilAway(): Promise<void> {
    for (const server of [one, other]) {
      await until(async () =>
        (await (await fetch(`${server.url}/health/ready`)).text()).includes('"redis","status":"down"'),
      );
    }
  }

  it('SHARE-01: uses a link mailed by one at the other, and refuses it at both afterwards', async () => {
    const path = await link();

    expect((await browser.send(other.url + path)).status).to.equal(302);
    expect([await me(one), await me(other)]).to.deep.equal([200, 200]);
    for (const server of [one, other]) {
      expect(
        (
          await form(
            new SignInClient(server.url),
            server,
            '/login/confirm',
            new URL(path, one.url).searchParams,
          )
        ).status,
      ).to.equal(401);
    }
  });

  it('SHARE-01, LOGIN-07: invalidates earlier links at both', async () => {
    const earlier = await link();
    // The address may request one link a minute, so the second is requested without the limits.
    await redis.command('FLUSHALL');
    await browser.send(other.url + (await link()));

    expect(await new SignInClient(one.url).status(earlier, { headers: PAGE })).to.equal(401);
  });

  it('SHARE-01, LOGIN-15: accepts a code shown by one at the other', async () => {
    const { searchParams } = new URL(await link(), one.url);
    expect(await (await browser.send(`${other.url}/login/sent`, { headers: PAGE })).text()).to.include(
      '/login/code',
    );

    const page = await (
      await form(new SignInClient(other.url), other, '/login/other-device', searchParams)
    ).text();
    const code = /[B-Z]{4}-[B-Z]{4}/.exec(page)?.[0] ?? '';
    expect((await form(browser, one, '/login/code', new URLSearchParams({ code }))).status).to.equal(303);
    expect(await me(other)).to.equal(200);
  });

  it('SHARE-02: fails without Redis, and the link stays valid', async () => {
    const path = await link();
    await redis.stop();
    await untilAway();

    expect(await browser.status(path)).to.equal(503);
    const asked = await browser.post('/api/v1/auth/signup', { email: ADA });
    expect([asked.status, asked.headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(await asked.json()).to.have.property('code', 'shared_state_unavailable');

    await redis.startAgain();
    await until(async () => (await browser.status(path)) === 302);
    expect(await me(other)).to.equal(200);
  });

  it('SHARE-02, SESS-06: keeps sessions valid without Redis, as Appwrite reports', async () => {
    await browser.send(await link());
    expect(await me(one)).to.equal(200);
    await redis.stop();
    await untilAway();

    expect([await me(one), await me(other)]).to.deep.equal([200, 200]);
    const user = appwrite.store.userByEmail(ADA);
    for (const { id } of appwrite.store.sessionsOf(user?.id ?? '')) appwrite.store.deleteSession(id);
    expect([await me(one), await me(other)], 'nothing is believed from before').to.deep.equal([401, 401]);
  });

  it('SESS-03: refuses at both a session that ended without Redis and Appwrite, once Redis is back', async () => {
    await browser.send(await link());
    const copy = new SignInClient(other.url);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    await redis.stop();
    await appwrite.close();
    appwrite = await startAppwriteSandbox(); // A new replica, which knows neither of them.
    await untilAway();
    await browser.post('/api/v1/auth/logout');
    expect(await me(one, copy)).to.equal(401);

    await redis.startAgain();
    await until(async () => (await me(other, copy)) === 401);
  });

  it('SHARE-02, UP-07: refuses an import with a key without Redis, while everything else works', async () => {
    const apiKey = createApiKey();
    const server = await startWholeService({
      REDIS_URL: redis.url,
      CAPTURE_API_URL: redcap.url,
      CAPTURE_API_TOKEN: redcap.token,
      API_KEYS: `lab:${hashApiKey(apiKey)}:project:read+records:read+records:write`,
    });
    await redis.stop();
    await untilAway();
    const authorization = `Bearer ${apiKey}`;
    const send = (mark: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${server.url}/api/v1/records`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ records: [{ record_id: `WITHOUT-REDIS-RECORD-${mark}`, last_name: mark }] }),
      });

    const refused = await send('keyed', { 'idempotency-key': 'a-key' });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      503,
      'shared_state_unavailable',
    ]);
    expect(redcap.project.records.get('WITHOUT-REDIS-RECORD-keyed')).to.equal(undefined);
    expect((await send('unkeyed')).status).to.equal(200);
    expect(redcap.project.records.get('WITHOUT-REDIS-RECORD-unkeyed')).to.not.equal(undefined);
    for (const path of ['/api/v1/project/version', '/api/v1/records?limit=1', '/health/ready']) {
      expect((await fetch(server.url + path, { headers: { authorization } })).status, path).to.equal(200);
    }
    await server.stop();
  });
});

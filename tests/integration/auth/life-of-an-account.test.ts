import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import { createApp } from '../../../src/app/app.js';
import type { AuthEvent } from '../../../src/services/auth/auth-event.js';
import { createAuthService } from '../../../src/services/auth/create-auth-service.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { closeServer, listen } from '../../support/start-service.js';

const ADA = 'ada@example.org';

describe('The life of an account', () => {
  let appwrite: AppwriteSandbox;
  let server: Server;
  let url: string;
  let events: AuthEvent[];
  const capture = createCrfClient({ url: 'http://127.0.0.1:1/api/', token: 'A'.repeat(32) });

  beforeEach(async () => {
    [appwrite, server, events] = [await startAppwriteSandbox(), createServer(), []];
    url = await listen(server);
    const service = createAuthService({
      appwrite: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
      loginUrl: `${url}/login`,
      domainValidation: { allowedDomainsRegexp: 'example\\.org' },
      signupFloorMs: 0,
      onEvent: (event) => events.push(event),
    });
    const auth = { service, trustedOrigins: [url], isSandbox: true };
    server.on('request', createApp({ capture, auth }));
  });
  afterEach(async () => {
    await closeServer(server);
    await appwrite.close();
  });
  after(() => capture.close());

  async function link(browser: SignInClient): Promise<string> {
    const mails = appwrite.mails.length;
    await browser.post('/api/v1/auth/signup', { email: ADA });
    while (appwrite.mails.length === mails) await new Promise(setImmediate);
    return appwrite.mails.at(-1)?.link ?? '';
  }
  const deletion = { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin' } };

  it('LOG-04: is recorded in order, by events that identify no one', async () => {
    const [browser, other] = [new SignInClient(url), new SignInClient(url)];

    await browser.post('/api/v1/auth/signup', { email: 'ada@elsewhere.test' });
    const used = await link(browser);
    await browser.send(used);
    await new SignInClient(url).send(used);
    await browser.post('/api/v1/auth/logout');
    await other.send(await link(other));
    await other.send('/api/v1/auth/account', deletion);

    const recorded = events.map(({ type, reason }) => (reason === undefined ? type : `${type} (${reason})`));
    expect(recorded).to.deep.equal([
      'link.refused (domain)',
      'link.requested',
      'session.created',
      'link.used',
      'link.failed (superseded)',
      'session.ended',
      'link.requested',
      'session.created',
      'link.used',
      'account.sessions-ended',
      'account.deleted',
    ]);
    for (const { at, ...event } of events) {
      expect(new Date(at).toISOString()).to.equal(at);
      expect(event.actor ?? '0'.repeat(16)).to.match(/^[0-9a-f]{16}$/);
    }
    // As a word: the hexadecimal pseudonyms can contain `ada` by chance.
    expect(JSON.stringify(events)).to.not.match(/\bada\b|example|elsewhere/);
  });

  it('ACCT-03: starts over after a deletion: old cookies and links fail, and nothing is inherited', async () => {
    const browser = new SignInClient(url);
    const [used, unused] = [await link(browser), await link(browser)];
    await browser.send(used);
    const cookies = new Map(browser.cookies);
    const first = (await (await browser.send('/api/v1/auth/me')).json()) as { data: { id: string } };
    expect((await browser.send('/api/v1/auth/account', deletion)).status).to.equal(200);

    const again = new SignInClient(url);
    expect(await again.status(await link(again))).to.equal(302);
    const second = (await (await again.send('/api/v1/auth/me')).json()) as { data: { id: string } };

    expect(second.data.id).to.be.a('string').that.does.not.equal(first.data.id);
    const sessions = await (await again.send('/api/v1/auth/sessions')).json();
    expect((sessions as { data: unknown[] }).data).to.have.length(1);
    const old = new SignInClient(url);
    for (const [name, value] of cookies) old.cookies.set(name, value);
    expect(await old.status('/api/v1/auth/me'), 'old cookie').to.equal(401);
    for (const dead of [used, unused]) expect(await new SignInClient(url).status(dead)).to.equal(401);
  });

  for (const target of ['//evil.test', '/\\evil.test', 'https://evil.test', '/dashboard/delete-account']) {
    it(`LOGIN-13: has no sign-in and no redirect to ${target}`, async () => {
      const browser = new SignInClient(url);
      const names = ['next', 'redirect', 'return_to', 'returnTo', 'url', 'continue'];
      const query = names.map((name) => `${name}=${encodeURIComponent(target)}`).join('&');
      const page = await browser.send(`/login/?${query}`);
      const signIn = await browser.send(`${await link(browser)}&${query}`);

      expect(page.headers.get('location') ?? '').to.match(/^$|^\/login\?/);
      expect(signIn.headers.get('location') ?? '/dashboard').to.equal('/dashboard');
      expect(signIn.status).to.be.oneOf([302, 400]);
    });
  }
});

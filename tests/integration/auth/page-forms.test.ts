import { expect } from 'chai';
import { LINK_SECRET } from '../../support/identity-answers.js';
import type { SignInClient } from '../../support/sign-in-client.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX } from '../../support/start-service.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SEND = 'POST /account/tokens/magic-url';

/** Every form and call that changes something with a session or sends a mail, with its fields. */
const ROUTES = [
  ['/login/send', 'email=ada%40example.org'],
  ['/login/confirm', `userId=ada&secret=${LINK_SECRET}`],
  ['/dashboard/sessions/end', 'id=other'],
  ['/dashboard/sign-out', ''],
  ['/dashboard/delete-account', ''],
  ['/api/v1/auth/logout', undefined],
] as const;

describe('The forms of a signed-in person', () => {
  let running: ServiceWithAuth;
  let browser: SignInClient;

  beforeEach(async () => {
    running = await startServiceWithAuth({}, { trustProxy: 1 });
    browser = await running.signedIn('grace');
  });
  afterEach(() => running.close());

  const post = (path: string, body: string | undefined, headers: Record<string, string>, by = browser) =>
    by.send(path, {
      method: 'POST',
      headers: { ...(body !== undefined && FORM), ...headers },
      ...(body !== undefined && { body }),
    });

  for (const [path, body] of [
    ['/login/other-device', `userId=ada&secret=${LINK_SECRET}`],
    ['/login/code', 'code=ABCD-EFGH'],
  ] as const) {
    for (const site of ['cross-site', 'same-site']) {
      it(`CSRF-01: are refused with 403 at POST ${path} from ${site}, and ask nobody`, async () => {
        const asked = running.auth.server.requests.length;

        const answer = await post(path, body, { 'sec-fetch-site': site });

        expect(answer.status).to.equal(403);
        expect(running.auth.server.requests).to.have.length(asked);
      });
    }
  }

  it('keep an address that was refused in its field, to be corrected', async () => {
    const answer = await post('/login/send', 'email=ada%40elsewhere.test%22%3E', {
      'sec-fetch-site': 'same-origin',
    });

    expect(answer.status).to.be.within(400, 422);
    expect(await answer.text()).to.include('value="ada@elsewhere.test&quot;&gt;"');
  });

  for (const [path, body] of ROUTES) {
    for (const [whose, headers] of [
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://app.example.org.evil.test' }],
      ['an unknown origin', { origin: 'null' }],
      ['a browser that does not say', {}],
    ] as [string, Record<string, string>][]) {
      it(`CSRF-01: are refused with 403 at POST ${path} from ${whose}, and change nothing`, async () => {
        const asked = running.auth.server.requests.length;
        const cookies = new Map(browser.cookies);

        const answer = await post(path, body, headers);

        expect(answer.status).to.equal(403);
        expect(running.auth.server.requests.length, 'questions to the identity backend').to.equal(asked);
        expect(browser.cookies).to.deep.equal(cookies);
        expect(await browser.status('/api/v1/auth/me'), 'the session').to.equal(200);
      });
    }

    it(`CSRF-01: are accepted at POST ${path} from a page of this service`, async () => {
      const answer = await post(path, body, { origin: 'https://app.example.org' });

      // `/login/confirm` asks first because grace is signed in; another rule refuses it.
      expect(answer.status).to.be.oneOf([200, 303, 409]);
    });
  }

  for (const path of ['/dashboard/sign-out', '/dashboard/delete-account']) {
    it(`SESS-04: clear the site data at POST ${path}, but not the cache`, async () => {
      const answer = await post(path, '', { 'sec-fetch-site': 'same-origin' });

      expect(answer.status).to.equal(303);
      expect(answer.headers.get('location')).to.equal(`${PREFIX}/signed-out`);
      expect(answer.headers.get('clear-site-data')).to.equal('"cookies", "storage"');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(browser.cookies.size).to.equal(0);
    });

    it(`LANG-01: keep the language that was chosen at POST ${path}`, async () => {
      await post('/language', 'language=de', { 'sec-fetch-site': 'same-origin' });
      const answer = await post(path, '', { 'sec-fetch-site': 'same-origin' });
      const target = answer.headers.get('location') ?? '';
      // As `Clear-Site-Data` does.
      browser.cookies.clear();
      const again = await browser.send(target);

      expect(again.headers.get('location')).to.equal(`${PREFIX}/signed-out`);
      expect(await (await browser.send('/signed-out')).text()).to.include('<html lang="de"');
    });
  }

  for (const [path, method, allow] of [
    ['/dashboard/sign-out', 'GET', 'POST'],
    ['/dashboard/sessions/end', 'GET', 'POST'],
    ['/login/send', 'GET', 'POST'],
    ['/login/confirm', 'GET', 'POST'],
    ['/dashboard/delete-account', 'DELETE', 'GET, HEAD, POST'],
  ] as const) {
    it(`SESS-04: change nothing with ${method} ${path}: 405`, async () => {
      const answer = await browser.send(path, { method, headers: { 'sec-fetch-site': 'same-origin' } });

      expect(answer.status).to.equal(405);
      expect(answer.headers.get('allow')).to.equal(allow);
      expect(await browser.status('/api/v1/auth/me')).to.equal(200);
    });
  }
});

describe('The limits of the forms', () => {
  let running: ServiceWithAuth;
  beforeEach(async () => {
    running = await startServiceWithAuth({}, { trustProxy: 1 });
  });
  afterEach(() => running.close());

  const post = (path: string, body: string, network: string) =>
    running.browser().send(path, {
      method: 'POST',
      headers: { ...FORM, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': network },
      body,
    });
  const mails = () => running.auth.server.requestsTo(SEND).length;

  it('RATE-01: allow a network five links a minute with POST /login/send', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      statuses.push((await post('/login/send', `email=p${index}%40example.org`, '192.0.2.1')).status);
    }

    expect(statuses).to.deep.equal([303, 303, 303, 303, 303, 429, 429]);
    expect(mails()).to.equal(5);
  });

  it('RATE-01: allow an address one link a minute with POST /login/send and the API together', async () => {
    await post('/login/send', 'email=ada%40example.org', '192.0.2.1');
    const again = await post('/login/send', 'email=Ada%2Bx%40example.org', '192.0.2.2');
    const api = await running
      .browser()
      .post('/api/v1/auth/signup', { email: 'ada@example.org' }, { 'x-forwarded-for': '192.0.2.3' });

    expect([again.status, api.status]).to.deep.equal([429, 429]);
    expect(mails()).to.equal(1);
  });

  it('RATE-01: allow a network ten failures with POST /login/confirm and GET /login together', async () => {
    const bad = 'userId=ada&secret=a%20b';
    const statuses: number[] = [];
    for (let times = 0; times < 10; times += 1) {
      statuses.push((await post('/login/confirm', bad, '192.0.2.1')).status);
    }

    expect(new Set(statuses)).to.deep.equal(new Set([401]));
    const good = `userId=ada&secret=${LINK_SECRET}`;
    expect((await post('/login/confirm', good, '192.0.2.1')).status).to.equal(429);
    const opened = await running
      .browser()
      .send(`/login?${good}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(opened.status).to.equal(429);
    expect((await post('/login/confirm', good, '192.0.2.2')).status).to.equal(303);
  });
});

import { expect } from 'chai';
import { LINK_SECRET, tokenAnswer } from '../../support/identity-answers.js';
import { appwriteError } from '../../support/recording-identity-server.js';
import type { SignInClient } from '../../support/sign-in-client.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX } from '../../support/start-service.js';

const SEND = 'POST /account/tokens/magic-url';
const EXCHANGE = 'POST /account/sessions/token';
const SESSION = '__Host-crf_session';
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
const COMPUTER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

describe('Completing a sign-in on the device that requested it', () => {
  let running: ServiceWithAuth;
  let computer: SignInClient;
  let phone: SignInClient;

  beforeEach(async () => {
    running = await startServiceWithAuth({ loginConfirm: 'unbound' });
    running.auth.server.on(SEND, {
      status: 201,
      json: { ...tokenAnswer(), phrase: 'Amber lantern' },
    });
    computer = running.browser();
    phone = running.browser();
    await post(computer, '/login/send', { email: 'ada@example.org' });
  });
  afterEach(() => running.close());

  const post = (browser: SignInClient, path: string, fields: Record<string, string>) =>
    browser.send(path, {
      method: 'POST',
      headers: { ...FORM, accept: 'text/html', 'user-agent': COMPUTER },
      body: new URLSearchParams(fields).toString(),
    });
  const link = () => ({ userId: 'ada', secret: LINK_SECRET, st: running.auth.lastState() });
  const type = async (browser: SignInClient, code: string) =>
    (await post(browser, '/login/code', { code })).status;
  const isSignedIn = (browser: SignInClient) => browser.cookies.has(SESSION);

  /** Requests the code on the phone. */
  async function codeOnPhone(): Promise<string> {
    const page = await (await post(phone, '/login/other-device', link())).text();
    return /[B-Z]{4}-[B-Z]{4}/.exec(page)?.[0] ?? '';
  }

  it('LOGIN-15: offers a code if another browser opens the link, and names the requesting browser', async () => {
    const page = await (
      await phone.send(`/login?${new URLSearchParams(link()).toString()}`, {
        headers: { accept: 'text/html' },
      })
    ).text();

    expect(page).to.include(`action="${PREFIX}/login/other-device"`);
    expect(page).to.include('Firefox on Linux').and.include('Amber lantern').and.include('20:00 UTC');
    expect(isSignedIn(phone)).to.equal(false);
  });

  it('LOGIN-15: signs in the requesting browser with the right code, ignoring case and blanks', async () => {
    const code = await codeOnPhone();

    expect(await type(computer, ` ${code.toLowerCase().replace('-', ' ')} `)).to.equal(303);

    expect(isSignedIn(computer)).to.equal(true);
    expect(isSignedIn(phone)).to.equal(false);
    expect((await computer.send('/api/v1/auth/me')).status).to.equal(200);
  });

  it('LOGIN-15: signs in no other browser with the right code, which stays valid for the requesting one', async () => {
    const code = await codeOnPhone();
    const thief = running.browser();
    await post(thief, '/login/send', { email: 'eve@example.org' });

    for (const other of [thief, phone, running.browser()]) {
      expect(await type(other, code)).to.equal(401);
      expect(isSignedIn(other)).to.equal(false);
    }

    expect(await type(computer, code)).to.equal(303);
  });

  it('LOGIN-15: counts five parallel guesses as five', async () => {
    const code = await codeOnPhone();

    await Promise.all(Array.from({ length: 5 }, () => type(computer, 'BBBB-BBBB')));

    expect(await type(computer, code)).to.equal(401);
  });

  it('LOGIN-09, LOGIN-15: keeps the code valid after an outage', async () => {
    const code = await codeOnPhone();
    running.auth.server.once(EXCHANGE, appwriteError(500, 'general_server_error'));

    expect(await type(computer, code)).to.equal(503);
    expect(await type(computer, code)).to.equal(303);
  });

  it('LOGIN-15: offers no code to the requesting browser, or for a link that a program requested', async () => {
    expect((await post(computer, '/login/other-device', link())).status).to.equal(401);

    await running.auth.service.signupWithEmail('ada@example.org');
    expect((await post(phone, '/login/other-device', link())).status).to.equal(401);
  });

  it('CSRF-01: refuses to show or accept a code for pages of other sites', async () => {
    for (const path of ['/login/other-device', '/login/code']) {
      const answer = await computer.send(path, {
        method: 'POST',
        headers: { ...FORM, 'sec-fetch-site': 'cross-site' },
        body: new URLSearchParams({ ...link(), code: 'BBBB-BBBB' }).toString(),
      });
      expect(answer.status).to.equal(403);
    }
  });

  it('AUTH-05: writes neither code nor link to any event', async () => {
    const code = await codeOnPhone();
    await type(computer, code);

    const events = JSON.stringify(running.auth.events);
    expect(events).to.include('code.shown').and.not.include(code).and.not.include(LINK_SECRET);
  });

  it('AUTH-08: shows the words of the mail on the page after the form, only to this browser', async () => {
    const own = await (await computer.send('/login/sent')).text();
    const other = await (await phone.send('/login/sent')).text();

    expect(own).to.include('Amber lantern').and.include(`action="${PREFIX}/login/code"`);
    expect(other).to.not.include('Amber lantern').and.not.include(`action="${PREFIX}/login/code"`);
  });

  it('AUTH-08: returns the words in the API too, and similar ones for a declined request', async () => {
    const accepted = await running.browser().post('/api/v1/auth/signup', { email: 'bob@example.org' });
    running.auth.server.once(SEND, appwriteError(400, 'user_count_exceeded'));
    const declined = await running.browser().post('/api/v1/auth/signup', { email: 'cy@example.org' });

    expect(await accepted.json()).to.deep.equal({
      data: { token: '6740a1f2c3d4e5f60718', phrase: 'Amber lantern' },
    });
    const { data } = (await declined.json()) as { data: { phrase: string } };
    expect(data.phrase).to.equal('Amber lantern'); // The only words it has seen.
    const [request] = running.auth.server.requestsTo(SEND);
    expect(JSON.parse(request?.body ?? '{}')).to.include({ phrase: true });
  });
});

describe('Completing a sign-in without a page between link and session', () => {
  it('LOGIN-15: offers no code, since none could be shown', async () => {
    const running = await startServiceWithAuth({ loginConfirm: 'never' });
    const browser = running.browser();
    await browser.post('/api/v1/auth/signup', { email: 'ada@example.org' });

    const page = await (await browser.send('/login/sent')).text();

    expect(page).to.not.include('/login/code');
    await running.close();
  });
});

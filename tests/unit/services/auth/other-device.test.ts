import { expect } from 'chai';
import { LINK_SECRET, tokenAnswer } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const EXCHANGE = 'POST /account/sessions/token';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const LINK_MS = 10 * 60_000;

describe('Completing a sign-in on the device that requested it (Auth)', () => {
  let auth: TestAuth;
  /** The browser that requests the link. */
  let computer: MemoryCookies;
  /** The browser that opens it. */
  let phone: MemoryCookies;

  beforeEach(() => start('unbound'));
  afterEach(() => auth.server.stop());

  async function start(loginConfirm: 'always' | 'never' | 'unbound'): Promise<void> {
    auth = await startAuth({ loginConfirm });
    auth.server.on('POST /account/tokens/magic-url', {
      status: 201,
      json: { ...tokenAnswer(), phrase: 'Amber lantern' },
    });
    [computer, phone] = [new MemoryCookies(), new MemoryCookies()];
    await auth.service.signupWithEmail('ada@example.org', computer, { userAgent: FIREFOX });
  }

  const showCode = async (browser = phone) =>
    auth.service.showCode('ada', LINK_SECRET, browser, { st: auth.lastState() });
  const type = (code: string, browser = computer) =>
    auth.service.loginWithCode(code, browser, { userAgent: FIREFOX });
  const open = (browser = phone) => auth.service.login('ada', LINK_SECRET, browser, { st: auth.lastState() });
  const typeWrong = async (times: number) => {
    for (let count = 0; count < times; count += 1) await refused(type('BBBB-BBBB'));
  };
  const lastEvent = () => {
    const { type: kind, actor, reason } = auth.events.at(-1) ?? {};
    return [kind, actor !== undefined, reason];
  };

  async function refused(attempt: Promise<unknown>, code = 'sign_in_failed'): Promise<void> {
    expect(await rejection(attempt)).to.have.property('code', code);
  }

  function travel(milliseconds: number): void {
    auth.now = new Date(auth.now.getTime() + milliseconds);
  }

  it('LOGIN-15: shows the code together with what is known about the requesting browser', async () => {
    const shown = await showCode();

    expect(shown.code).to.match(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(shown).to.deep.equal({
      code: shown.code,
      phrase: 'Amber lantern',
      device: 'Firefox on Linux',
      askedAt: '2026-11-20T20:00:00.000Z',
    });
    expect(lastEvent()).to.deep.equal(['code.shown', true, undefined]);
  });

  it('LOGIN-15: signs in the requesting browser with the code, once', async () => {
    const { code } = await showCode();

    const user = await type(code);

    expect([user.id, user.sessionId]).to.deep.equal(['ada', 's1']);
    expect(await auth.service.currentUser(computer)).to.deep.equal(user);
    expect(await auth.service.currentUser(phone)).to.equal(null);
    const [exchange] = auth.server.requestsTo(EXCHANGE);
    expect(exchange?.headers).to.have.property('x-forwarded-user-agent', FIREFOX);
    await refused(type(code));
  });

  it('LOGIN-15: forgets the request once its code was used', async () => {
    const binding = [...computer.values];
    const { code } = await showCode();
    await type(code);
    for (const [name, value] of binding) computer.values.set(name, value);

    expect(await auth.service.pendingLink(computer)).to.equal(undefined);
  });

  it('LOGIN-15: accepts the code in no other browser', async () => {
    const { code } = await showCode();
    const thief = new MemoryCookies();
    await auth.service.signupWithEmail('eve@example.org', thief);

    for (const browser of [thief, phone, new MemoryCookies()]) await refused(type(code, browser));

    expect(lastEvent()).to.deep.equal(['code.failed', false, 'wrong']);
    expect((await type(code)).id).to.equal('ada');
  });

  it('LOGIN-15: allows four wrong codes', async () => {
    const { code } = await showCode();
    await typeWrong(4);

    expect(lastEvent()).to.deep.equal(['code.failed', false, 'wrong']);
    expect((await type(code)).id).to.equal('ada');
  });

  it('LOGIN-15: ends the request and its link after five wrong codes', async () => {
    const { code } = await showCode();
    const st = auth.lastState();
    await typeWrong(5);

    expect(lastEvent()).to.deep.equal(['code.failed', false, 'used-up']);
    await refused(type(code));
    expect(lastEvent()).to.deep.equal(['code.failed', false, 'wrong']);
    await refused(auth.service.login('ada', LINK_SECRET, phone, { st }));
    expect(lastEvent()).to.deep.equal(['link.failed', true, 'used']);
    expect(await auth.service.pendingLink(computer)).to.equal(undefined);
    expect(auth.server.requestsTo(EXCHANGE)).to.deep.equal([]);
  });

  it('LOGIN-15: counts codes typed before one was shown, and then shows none', async () => {
    await typeWrong(5);

    expect(lastEvent()).to.deep.equal(['code.failed', false, 'used-up']);
    await refused(showCode());
    expect((await open()).id, 'the link itself is not known to this service').to.equal('ada');
  });

  it('LOGIN-15: does not count the right code, whatever becomes of it', async () => {
    const { code } = await showCode();
    auth.server.on(EXCHANGE, appwriteError(500, 'general_server_error'));
    for (let times = 0; times < 6; times += 1) await refused(type(code), 'identity_unavailable');
    await typeWrong(4);
    auth.server.on(EXCHANGE, appwriteError(401, 'user_invalid_token'));

    await refused(type(code));
    expect(lastEvent()).to.deep.equal(['link.failed', true, 'refused']);
    expect(await auth.service.pendingLink(computer), 'ended together with the link').to.equal(undefined);
  });

  it('LOGIN-06, LOGIN-15: accepts a code as long as its link is valid', async () => {
    const { code } = await showCode();
    travel(LINK_MS);
    expect(await auth.service.pendingLink(computer)).to.not.equal(undefined);
    expect((await type(code)).id).to.equal('ada');
  });

  it('LOGIN-06, LOGIN-15: accepts and shows no code later, and offers none', async () => {
    const { code } = await showCode();
    travel(LINK_MS + 1);

    expect(await auth.service.pendingLink(computer)).to.equal(undefined);
    await refused(type(code));
    expect(lastEvent()).to.deep.equal(['code.failed', false, 'wrong']);
    await refused(showCode());
  });

  it('LOGIN-15: replaces a code that is shown again', async () => {
    const [first, second] = [await showCode(), await showCode()];

    await refused(type(first.code));
    expect((await type(second.code)).id).to.equal('ada');
  });

  it('LOGIN-15: refuses the code of a link that was used on the phone', async () => {
    const { code } = await showCode();
    await open();

    await refused(type(code));
    expect(await auth.service.pendingLink(computer)).to.equal(undefined);
  });

  it('LOGIN-15: keeps the code while another account is signed in', async () => {
    const { code } = await showCode();
    const binding = [...computer.values];
    await auth.service.login('bob', 'a'.repeat(64), computer);
    for (const [name, value] of binding) computer.values.set(name, value);

    await refused(type(code), 'other_account_signed_in');
    expect(lastEvent()).to.deep.equal(['code.failed', true, 'other-account']);
    await auth.service.logout(undefined, computer);
    expect((await type(code)).id).to.equal('ada');
  });

  it('LOGIN-15: shows no code to the requesting browser, or for a link that a program requested', async () => {
    await refused(showCode(computer));

    await auth.service.signupWithEmail('ada@example.org');
    await refused(showCode());
    await refused(auth.service.showCode('ada', LINK_SECRET, phone));
    expect(auth.events.map(({ type: kind }) => kind)).to.not.include('code.shown');
  });

  it('AUTH-08: tells only the requesting browser about its pending link', async () => {
    expect(await auth.service.pendingLink(computer)).to.deep.equal({
      phrase: 'Amber lantern',
      takesCode: true,
    });
    expect(await auth.service.pendingLink(phone)).to.equal(undefined);
  });

  it('LOGIN-15: takes no code if no page could show one', async () => {
    await auth.server.stop();
    await start('never');

    expect(await auth.service.pendingLink(computer)).to.deep.equal({
      phrase: 'Amber lantern',
      takesCode: false,
    });
  });

  it('LOGIN-15: describes the requesting browser to another one that opens the link, if a page can ask', async () => {
    const otherDeviceOf = async (browser: MemoryCookies) =>
      (await auth.service.checkLink('ada', LINK_SECRET, browser, { st: auth.lastState() })).otherDevice;
    const described = {
      phrase: 'Amber lantern',
      device: 'Firefox on Linux',
      askedAt: '2026-11-20T20:00:00.000Z',
    };

    expect(await otherDeviceOf(phone)).to.deep.equal(described);
    expect(await otherDeviceOf(computer)).to.equal(undefined);
    for (const [loginConfirm, seen] of [
      ['always', described],
      ['never', undefined],
    ] as const) {
      await auth.server.stop();
      await start(loginConfirm);
      expect([await otherDeviceOf(phone), await otherDeviceOf(computer)]).to.deep.equal([seen, undefined]);
    }
  });
});

import { expect } from 'chai';
import { deriveAuthKeys } from '../../../../src/services/auth/auth-keys.js';
import { seal, unseal } from '../../../../src/domain/crypto/sealed-text.js';
import { API_KEY, LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const SESSION = '__Host-crf_session';
const END = 'DELETE /users/*/sessions/*';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('An idle session', () => {
  let auth: TestAuth;
  let cookies: MemoryCookies;

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  function travel(milliseconds: number): void {
    auth.now = new Date(auth.now.getTime() + milliseconds);
  }

  function copyOf(jar: MemoryCookies): MemoryCookies {
    const copy = new MemoryCookies();
    copy.values.set(SESSION, jar.get(SESSION) ?? '');
    return copy;
  }

  const isSignedIn = async (jar = cookies): Promise<boolean> =>
    (await auth.service.currentUser(jar)) !== null;

  it('SESS-02: is valid after 29 minutes but not after 31', async () => {
    const other = copyOf(cookies);
    travel(29 * MINUTE);
    expect(await isSignedIn()).to.equal(true);
    travel(2 * MINUTE);
    expect(await isSignedIn(other)).to.equal(false);
  });

  for (const [name, lastUse] of [
    ['right after the sign-in', 0],
    ['just before the cookie would be renewed', 59 * SECOND],
    ['when the cookie is renewed', 60 * SECOND],
    ['in between', 10 * MINUTE + 30 * SECOND],
  ] as const) {
    it(`SESS-02: ends between 29 and 31 minutes after a last use ${name}`, async () => {
      travel(lastUse);
      await isSignedIn();
      const late = copyOf(cookies);

      travel(29 * MINUTE);
      expect(await isSignedIn()).to.equal(true);
      travel(2 * MINUTE);
      expect(await isSignedIn(late)).to.equal(false);
    });
  }

  it('SESS-02: stays valid while it is used, but ends after 12 hours', async () => {
    for (let used = 0; used < 12 * HOUR - 20 * MINUTE; used += 20 * MINUTE) {
      travel(20 * MINUTE);
      expect(await isSignedIn()).to.equal(true);
    }
    travel(19 * MINUTE);
    expect(await isSignedIn()).to.equal(true);
    travel(MINUTE);
    expect(await isSignedIn()).to.equal(false);
  });

  it('SESS-02: stays ended, however often it is used again', async () => {
    travel(31 * MINUTE);

    expect(await isSignedIn()).to.equal(false);
    expect(await isSignedIn()).to.equal(false);
    expect(await rejection(auth.service.listSessions(cookies))).to.have.property('code', 'unauthenticated');
    expect(await rejection(auth.service.deleteAccount(undefined, cookies))).to.have.property(
      'code',
      'unauthenticated',
    );
  });

  it('SESS-02: renews the cookie at most once a minute', async () => {
    const first = cookies.get(SESSION);
    travel(59 * SECOND);
    await isSignedIn();
    expect(cookies.get(SESSION)).to.equal(first);

    travel(SECOND);
    await isSignedIn();
    const second = cookies.get(SESSION);
    expect(second).to.not.equal(first);
    await isSignedIn();
    expect(cookies.get(SESSION)).to.equal(second);
  });

  it('COOK-01: has a cookie that expires no later than the session', async () => {
    expect(cookies.attributes.get(SESSION)?.maxAge).to.equal(30 * 60);
    expect(cookies.attributes.get(SESSION)?.expires).to.deep.equal(
      new Date(auth.now.getTime() + 30 * MINUTE),
    );
    const end = auth.now.getTime() + 12 * HOUR;
    while (auth.now.getTime() < end - 10 * MINUTE) {
      travel(10 * MINUTE);
      await isSignedIn();
    }

    const { maxAge, expires, ...rest } = cookies.attributes.get(SESSION) ?? {};
    expect([maxAge, expires]).to.deep.equal([10 * 60, new Date(end)]);
    expect(rest).to.deep.equal({ path: '/', httpOnly: true, secure: true, sameSite: 'lax' });
  });

  it('SESS-02: does not extend an old copy of the cookie when another copy is used', async () => {
    const copy = copyOf(cookies);
    travel(20 * MINUTE);
    await isSignedIn();
    travel(11 * MINUTE);

    expect(await isSignedIn(copy)).to.equal(false);
    expect(await isSignedIn()).to.equal(true);
  });

  it('SESS-02, SESS-06: is not extended while its validity is unknown or when it is invalid', async () => {
    const before = cookies.get(SESSION);
    travel(5 * MINUTE);
    auth.server.once('GET /account', appwriteError(500, 'general_server_error'));
    await rejection(auth.service.currentUser(cookies));
    auth.server.once('GET /account', appwriteError(401, 'general_unauthorized_scope'));
    expect(await isSignedIn()).to.equal(false);

    expect(cookies.get(SESSION)).to.equal(before);
  });

  it('SESS-02, SESS-06: is refused if its cookie does not state when it was last used', async () => {
    const { cookie } = deriveAuthKeys(API_KEY, 'study');
    const ticket = JSON.parse(unseal(cookie, SESSION, cookies.get(SESSION) ?? '') ?? '') as object;
    const sealed = (changes: object) =>
      cookies.values.set(SESSION, seal(cookie, SESSION, JSON.stringify({ ...ticket, ...changes })));

    sealed({});
    expect(await isSignedIn()).to.equal(true);
    for (const seenAt of [undefined, null, '9999999999999']) {
      sealed({ seenAt });
      expect(await isSignedIn()).to.equal(false);
    }
  });

  for (const [what, act] of [
    ['signing out', (jar: MemoryCookies) => auth.service.logout(undefined, jar)],
    [
      'the next sign-in',
      (jar: MemoryCookies) => auth.service.login('ada', 'e'.repeat(64), jar).then(() => undefined),
    ],
  ] as const) {
    it(`SESS-01, SESS-03: is ended by ${what} too, since a copy may be in use elsewhere`, async () => {
      const copy = copyOf(cookies);
      travel(20 * MINUTE);
      await isSignedIn(copy);
      travel(11 * MINUTE);
      expect(await isSignedIn(copy)).to.equal(true);

      await act(cookies);

      expect(auth.server.requestsTo(END)).to.have.length(1);
      expect(await isSignedIn(copy)).to.equal(false);
    });
  }

  it('SESS-02: has a configurable limit', async () => {
    const short = await startAuth({ sessionIdleSeconds: 300 });
    const jar = new MemoryCookies();
    await short.service.login('ada', LINK_SECRET, jar);

    short.now = new Date(short.now.getTime() + 301 * SECOND);

    expect(await short.service.currentUser(jar)).to.equal(null);
    await short.server.stop();
  });
});

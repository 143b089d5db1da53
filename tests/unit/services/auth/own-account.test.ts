import { expect } from 'chai';
import { accountAnswer, LINK_SECRET, sessionAnswer } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';

const NO_SESSION = appwriteError(401, 'general_unauthorized_scope');

describe("A person's own account and sessions", () => {
  let auth: TestAuth;
  let cookies: MemoryCookies;

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  /** Returns the number of requests to a route. */
  const asked = (route: string): number => auth.server.requestsTo(route).length;

  async function refused(attempt: Promise<unknown>): Promise<void> {
    expect(await rejection(attempt)).to.have.property('code', 'unauthenticated');
  }

  it('tells whether there is an unexpired cookie', () => {
    expect(auth.service.isSignedIn(cookies)).to.equal(true);
    expect(auth.service.isSignedIn(new MemoryCookies())).to.equal(false);

    auth.now = new Date(auth.now.getTime() + 30 * 60_000);
    expect(auth.service.isSignedIn(cookies)).to.equal(false);
  });

  it('ACCT-05: shows the account as the identity backend knows it, with its sessions', async () => {
    auth.server.on('GET /account', {
      status: 200,
      json: accountAnswer('ada', 'ada@example.org', { emailVerification: false }),
    });

    expect(await auth.service.personalData(cookies)).to.deep.equal({
      account: {
        id: 'ada',
        email: 'ada@example.org',
        isEnabled: true,
        isEmailVerified: false,
        authenticatedAt: '2026-11-20T20:00:00.000Z',
      },
      sessions: await auth.service.listSessions(cookies),
    });
  });

  it('SESS-06: shows nothing once the session has ended at the identity backend', async () => {
    await auth.service.currentUser(cookies);
    auth.server.on('GET /account', NO_SESSION);
    await refused(auth.service.personalData(cookies));

    auth.server.on('GET /account/sessions', NO_SESSION);
    await refused(auth.service.listSessions(cookies));
  });

  it('SESS-06: asks for no sessions without a valid session', async () => {
    auth.server.on('GET /account', NO_SESSION);

    await refused(auth.service.listSessions(cookies));
    await refused(auth.service.listSessions(new MemoryCookies()));
    expect(asked('GET /account/sessions')).to.equal(0);
  });

  it('SESS-08: describes a session as far as its device and country are known', async () => {
    const times = { $createdAt: '2026-11-20T20:00:00+0000', expire: '2026-11-20T21:00:00.000+0100' };
    const sessions = [
      sessionAnswer('ada', 's1', { countryName: 'Finland' }),
      sessionAnswer('ada', 's2', { clientName: '', ...times }),
      sessionAnswer('ada', 's3', { osName: '', $createdAt: 'yesterday', expire: '' }),
    ];
    auth.server.on('GET /account/sessions', { status: 200, json: { total: 3, sessions } });

    expect(await auth.service.listSessions(cookies)).to.deep.equal([
      {
        id: 's1',
        isCurrent: true,
        createdAt: '2026-11-20T20:00:00.123Z',
        expiresAt: '2026-11-21T08:00:00.123Z',
        device: 'Firefox on Linux',
        country: 'Finland',
      },
      {
        id: 's2',
        isCurrent: false,
        createdAt: '2026-11-20T20:00:00.000Z',
        expiresAt: '2026-11-20T20:00:00.000Z',
        device: 'Linux',
        country: '',
      },
      {
        id: 's3',
        isCurrent: false,
        createdAt: '1970-01-01T00:00:00.000Z',
        expiresAt: '1970-01-01T12:00:00.000Z',
        device: 'Firefox',
        country: '',
      },
    ]);
  });

  it('SESS-08, LOG-04: ends another session once, and writes why', async () => {
    await auth.service.endSession('other', cookies);
    await auth.service.confirmEndedSessions();

    const { type, actor, reason } = auth.events.at(-1) ?? {};
    expect([type, actor, reason]).to.deep.equal([
      'session.ended',
      auth.service.pseudonymOf('ada'),
      'revoked',
    ]);
    expect(asked('DELETE /users/ada/sessions/other')).to.equal(1);
  });

  it('SESS-08: ends no other session after its own has ended', async () => {
    auth.server.on('GET /account/sessions', NO_SESSION);

    await refused(auth.service.endSession('other', cookies));
    expect(asked('DELETE /users/*/sessions/*')).to.equal(0);
  });

  it('SESS-03: ends a session once at the identity backend when its holder logs out', async () => {
    await auth.service.logout('ada', cookies);
    await auth.service.confirmEndedSessions();

    expect(asked('DELETE /users/*/sessions/*')).to.equal(1);
  });

  it('SESS-01: does not end a session that the identity backend returns again', async () => {
    auth.server.on('POST /account/sessions/token', { status: 201, json: sessionAnswer('ada', 's1') });

    await auth.service.login('ada', 'e'.repeat(64), cookies);

    expect(asked('DELETE /users/*/sessions/*')).to.equal(0);
    expect((await auth.service.currentUser(cookies))?.sessionId).to.equal('s1');
  });

  it('SESS-07, ACCT-02: discards the cached checks of all devices when the account is deleted', async () => {
    const phone = new MemoryCookies();
    await auth.service.login('ada', 'e'.repeat(64), phone);
    await auth.service.currentUser(phone);

    await auth.service.deleteAccount('ada', cookies);
    auth.server.on('GET /account', NO_SESSION);

    expect(await auth.service.currentUser(phone)).to.equal(null);
    await auth.service.confirmEndedSessions();
    expect(asked('DELETE /users/*/sessions/*')).to.equal(0);
  });

  it('SESS-07, ACCT-02: discards them even if only the sessions could be ended', async () => {
    const phone = new MemoryCookies();
    await auth.service.login('ada', 'e'.repeat(64), phone);
    await auth.service.currentUser(phone);
    auth.server.once('DELETE /users/*', appwriteError(500, 'general_server_error'));

    await rejection(auth.service.deleteAccount('ada', cookies));
    auth.server.on('GET /account', NO_SESSION);

    expect(await auth.service.currentUser(phone)).to.equal(null);
  });
});

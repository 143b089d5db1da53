import { expect } from 'chai';
import {
  API_KEY,
  LINK_SECRET,
  accountAnswer,
  sessionAnswer,
  sessionSecretOf,
} from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { printed } from '../../../support/printed.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError, type Reply } from '../../../support/recording-identity-server.js';
import { oneAway } from '../../../support/one-away.js';
import { rejection } from '../../../support/rejection.js';

const SESSION = '__Host-crf_session';
const END = 'DELETE /users/*/sessions/*';
const outage = appwriteError(500, 'general_server_error');
const MINUTE = 60_000;

let auth: TestAuth;
let cookies: MemoryCookies;

function travel(milliseconds: number): void {
  auth.now = new Date(auth.now.getTime() + milliseconds);
}

/** Returns a copy of the cookies, as another client might hold it. */
function copyOf(jar: MemoryCookies): MemoryCookies {
  const copy = new MemoryCookies();
  for (const [name, value] of jar.values) copy.values.set(name, value);
  return copy;
}

describe('Auth.currentUser', () => {
  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  const worthless = [
    '',
    'x',
    'ada',
    'a'.repeat(500),
    'a'.repeat(100_000),
    sessionSecretOf('ada'),
    '{}',
    '%00',
  ];
  for (const value of worthless) {
    const shown = `${JSON.stringify(value.slice(0, 8))} with ${value.length} characters`;
    it(`SESS-06: returns null for the unknown cookie ${shown}, without a request`, async () => {
      const asked = auth.server.requests.length;
      cookies.values.set(SESSION, value);

      expect(await auth.service.currentUser(cookies)).to.equal(null);
      expect(auth.server.requests).to.have.length(asked);
    });
  }

  it('SESS-06: returns null for a cookie with any alteration', async () => {
    const value = cookies.get(SESSION) ?? '';
    for (const other of oneAway(value)) {
      const jar = new MemoryCookies();
      jar.values.set(SESSION, other);
      expect(await auth.service.currentUser(jar)).to.equal(null);
    }
  });

  it('returns null without a cookie', async () => {
    expect(await auth.service.currentUser(new MemoryCookies())).to.equal(null);
  });

  const faults: [string, Reply][] = [
    ['a 500', outage],
    ['a timeout', 'hang'],
    ['a broken connection', 'reset'],
    ['a proxy page', { status: 502, text: '<html>', contentType: 'text/html' }],
    ['a rate limit', appwriteError(429, 'general_rate_limit_exceeded')],
    ['a 200 that is not an account', { status: 200, json: {} }],
  ];
  for (const [name, reply] of faults) {
    it(`SESS-06: throws after ${name} rather than returning anyone or null`, async () => {
      auth.server.on('GET /account', reply);

      expect(await rejection(auth.service.currentUser(cookies))).to.have.property(
        'code',
        'identity_unavailable',
      );
    });
  }

  const dead: [string, Reply][] = [
    ['a session that ended elsewhere', appwriteError(401, 'general_unauthorized_scope')],
    ['a blocked person', appwriteError(403, 'user_blocked')],
    ['a person who owes a second factor', appwriteError(401, 'user_more_factors_required')],
    ['the session of another person', { status: 200, json: accountAnswer('eve') }],
    ['a disabled person', { status: 200, json: accountAnswer('ada', 'ada@example.org', { status: false }) }],
  ];
  for (const [name, reply] of dead) {
    it(`SESS-06: returns null for ${name}`, async () => {
      auth.server.on('GET /account', reply);

      expect(await auth.service.currentUser(cookies)).to.equal(null);
    });
  }

  it('MAIL-08: returns null for a domain that has been removed from the allow-list', async () => {
    auth.server.on('GET /account', { status: 200, json: accountAnswer('ada', 'ada@removed.org') });

    expect(await auth.service.currentUser(cookies)).to.equal(null);
  });

  it('SESS-07: trusts a check for 30 seconds and no longer', async () => {
    await auth.service.currentUser(cookies);
    const asked = auth.server.requestsTo('GET /account').length;
    travel(29_000);
    await auth.service.currentUser(cookies);
    expect(auth.server.requestsTo('GET /account')).to.have.length(asked);

    auth.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));
    travel(2_000);
    expect(await auth.service.currentUser(cookies)).to.equal(null);
  });

  it('SESS-07: does not cache a refusal', async () => {
    auth.server.once('GET /account', appwriteError(403, 'user_blocked'));

    expect(await auth.service.currentUser(cookies)).to.equal(null);
    expect(await auth.service.currentUser(cookies)).to.have.property('id', 'ada');
  });

  it('SESS-05: returns to each of 200 concurrent callers their own account', async () => {
    // A busy machine needs more than half a second for this many.
    const crowd = await startAuth({}, 30_000);
    const ids = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const jars = ids.map(() => new MemoryCookies());
    await Promise.all(ids.map((id, index) => crowd.service.login(id, LINK_SECRET, jars[index] ?? cookies)));
    crowd.server.on('GET /account', ({ headers }) => {
      const text = Buffer.from(String(headers['x-appwrite-session']), 'base64').toString();
      const { id } = JSON.parse(text) as { id: string };
      return { status: 200, json: accountAnswer(id), delayMs: Math.random() * 50 };
    });

    const users = await Promise.all(jars.map((jar) => crowd.service.currentUser(jar)));

    expect(users.map((user) => [user?.id, user?.email])).to.deep.equal(
      ids.map((id) => [id, `${id}@example.org`]),
    );
    await crowd.server.stop();
  }).timeout(120_000);
});

describe('Auth.logout', () => {
  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  it('SESS-03: ends the session at the identity backend and refuses the old cookie', async () => {
    const replay = copyOf(cookies);

    await auth.service.logout('ada', cookies);

    expect(auth.server.requestsTo(END)).to.have.length(1);
    expect(cookies.values.size).to.equal(0);
    expect(await auth.service.currentUser(replay)).to.equal(null);
  });

  it('COOK-03: clears the cookie with the attributes it was set with', async () => {
    const { path, httpOnly, secure, sameSite } = cookies.attributes.get(SESSION) ?? {};

    await auth.service.logout('ada', cookies);

    expect(cookies.attributes.get(SESSION)).to.deep.equal({ path, httpOnly, secure, sameSite });
  });

  it('SESS-03: does not trust an earlier check', async () => {
    const replay = copyOf(cookies);
    await auth.service.currentUser(cookies);
    auth.server.on(END, outage);

    await auth.service.logout('ada', cookies);

    expect(await auth.service.currentUser(replay)).to.equal(null);
  });

  it('SESS-03: is not undone by a check that was in progress', async () => {
    const replay = copyOf(cookies);
    auth.server.once('GET /account', { status: 200, json: accountAnswer('ada'), delayMs: 100 });

    const check = auth.service.currentUser(replay);
    await auth.service.logout('ada', cookies);

    expect(await check).to.equal(null);
    expect(await auth.service.currentUser(replay)).to.equal(null);
  });

  const outages: [string, Reply][] = [
    ['answers 500', outage],
    ['breaks the connection', 'reset'],
    ['does not answer', 'hang'],
    ['refuses the service', appwriteError(404, 'project_not_found')],
  ];
  for (const [name, reply] of outages) {
    it(`SESS-03: refuses the old cookie here even if the identity backend ${name}`, async () => {
      const replay = copyOf(cookies);
      auth.server.once(END, reply);

      await auth.service.logout('ada', cookies);

      expect(cookies.values.size).to.equal(0);
      expect(await auth.service.currentUser(replay)).to.equal(null);
      expect(await rejection(auth.service.listSessions(replay))).to.have.property('code', 'unauthenticated');
      expect(auth.events.map(({ type }) => type)).to.include('session.end-pending');
    });
  }

  it('SESS-03: ends the session there once the identity backend answers again', async () => {
    const other = new MemoryCookies();
    await auth.service.login('eve', LINK_SECRET, other);
    auth.server.once(END, outage);
    await auth.service.logout('ada', cookies);
    travel(MINUTE);

    await auth.service.currentUser(other);

    await until(() => auth.server.requestsTo(END).length === 2);
    expect(auth.server.requestsTo(END)[1]?.url).to.equal('/v1/users/ada/sessions/s1');
  });

  it('SESS-03: ends pending sessions when the process stops', async () => {
    const other = new MemoryCookies();
    await auth.service.login('eve', LINK_SECRET, other);
    auth.server.once(END, outage);
    auth.server.once(END, outage);
    await auth.service.logout('ada', cookies);
    await auth.service.logout('eve', other);

    await auth.service.confirmEndedSessions();
    await auth.service.confirmEndedSessions();

    const urls = auth.server
      .requestsTo(END)
      .slice(2)
      .map(({ url }) => url);
    expect(urls).to.deep.equal(['/v1/users/ada/sessions/s1', '/v1/users/eve/sessions/s2']);
  });

  it('SESS-03: does not delay the stop while the identity backend is still down', async () => {
    const other = new MemoryCookies();
    await auth.service.login('eve', LINK_SECRET, other);
    auth.server.on(END, outage);
    await auth.service.logout('ada', cookies);
    await auth.service.logout('eve', other);

    await auth.service.confirmEndedSessions();

    expect(auth.server.requestsTo(END).slice(2)).to.have.length(1);
  });

  it('SESS-03: refuses to end a session without a cookie', async () => {
    const error = await rejection(auth.service.logout('ada', new MemoryCookies()));

    expect(error).to.have.property('code', 'unauthenticated');
    expect(auth.server.requestsTo(END)).to.deep.equal([]);
  });

  it('SESS-03: succeeds again with the cookie of a session that is over', async () => {
    const again = copyOf(cookies);

    await auth.service.logout('ada', cookies);
    await auth.service.logout('ada', again);

    expect(auth.server.requestsTo(END)).to.have.length(1);
    expect(again.values.size).to.equal(0);
  });

  it('ends nothing without a valid session, and clears the cookie', async () => {
    const jar = new MemoryCookies();
    jar.values.set(SESSION, 'rubbish');

    await auth.service.logout(undefined, jar);

    expect(jar.values.size).to.equal(0);
    expect(auth.server.requestsTo(END)).to.deep.equal([]);
  });

  it('ends no session of another person, whatever user id is given', async () => {
    const eve = new MemoryCookies();
    await auth.service.login('eve', LINK_SECRET, eve);

    await auth.service.logout('eve', cookies);

    expect(await auth.service.currentUser(eve)).to.have.property('id', 'eve');
    expect(cookies.values.size).to.equal(0);
  });

  it("ends a session, also a blocked person's, with the API key and not with the session", async () => {
    await auth.service.logout('ada', cookies);

    const [ended] = auth.server.requestsTo(END);
    expect(ended?.headers)
      .to.include({ 'x-appwrite-key': API_KEY })
      .and.not.have.property('x-appwrite-session');
  });
});

describe('Auth.listSessions and endSession', () => {
  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  it('SESS-08: lists the sessions without their secrets', async () => {
    const list = await auth.service.listSessions(cookies);

    expect(list).to.deep.equal([
      {
        id: 's1',
        isCurrent: true,
        createdAt: '2026-11-20T20:00:00.123Z',
        expiresAt: '2026-11-21T08:00:00.123Z',
        device: 'Firefox on Linux',
        country: '',
      },
      {
        id: 'other',
        isCurrent: false,
        createdAt: '2026-11-20T20:00:00.123Z',
        expiresAt: '2026-11-21T08:00:00.123Z',
        device: 'Firefox on Linux',
        country: '',
      },
    ]);
  });

  it('SESS-08: ends another session of the person', async () => {
    await auth.service.endSession('other', cookies);

    expect(auth.server.requestsTo('DELETE /users/ada/sessions/other')).to.have.length(1);
    expect(await auth.service.currentUser(cookies)).to.have.property('id', 'ada');
  });

  it('SESS-08: ends the current session and clears the cookie', async () => {
    await auth.service.endSession('s1', cookies);

    expect(cookies.values.size).to.equal(0);
    expect(auth.server.requestsTo(END)).to.have.length(1);
  });

  for (const id of ['unknown', 's999', 'current', '', '../sessions', 'a b']) {
    it(`SESS-08: refuses ${JSON.stringify(id)}, which is not a session of this person`, async () => {
      const error = await rejection(auth.service.endSession(id, cookies));

      expect(error).to.have.property('code', 'session_not_found');
      expect(auth.server.requests.filter(({ method }) => method === 'DELETE')).to.deep.equal([]);
      expect(await auth.service.currentUser(cookies)).to.have.property('id', 'ada');
    });
  }

  it('SESS-07: refuses a session that was ended elsewhere immediately, despite a recent check', async () => {
    const eve = new MemoryCookies();
    await auth.service.login('eve', LINK_SECRET, eve);
    const elsewhere = new MemoryCookies();
    await auth.service.login('eve', 'e'.repeat(64), elsewhere);
    await auth.service.currentUser(elsewhere);
    const { sessionId } = (await auth.service.currentUser(elsewhere)) ?? { sessionId: '' };
    auth.server.on('GET /account/sessions', {
      status: 200,
      json: { total: 1, sessions: [sessionAnswer('eve', sessionId)] },
    });

    await auth.service.endSession(sessionId, eve);

    expect(await auth.service.currentUser(elsewhere)).to.equal(null);
  });

  it('SESS-08: requires a session', async () => {
    const nobody = new MemoryCookies();

    expect(await rejection(auth.service.listSessions(nobody))).to.have.property('code', 'unauthenticated');
    expect(await rejection(auth.service.endSession('other', nobody))).to.have.property(
      'code',
      'unauthenticated',
    );
  });
});

describe('Auth.deleteAccount', () => {
  const STEPS = ['DELETE /users/ada/sessions', 'DELETE /users/ada'];

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => auth.server.stop());

  function deletions(): string[] {
    return auth.server.requests
      .filter(({ method }) => method === 'DELETE')
      .map(({ method, url }) => `${method} ${url.replace('/v1', '')}`);
  }

  it('ACCT-02: ends all sessions, deletes the account and clears the cookie, in this order', async () => {
    const replay = copyOf(cookies);

    await auth.service.deleteAccount('ada', cookies);

    expect(deletions()).to.deep.equal(STEPS);
    expect(cookies.values.size).to.equal(0);
    expect(await auth.service.currentUser(replay)).to.equal(null);
    expect(auth.events.map(({ type }) => type).slice(-2)).to.deep.equal([
      'account.sessions-ended',
      'account.deleted',
    ]);
  });

  it('ACCT-01: requires a sign-in less than ten minutes ago', async () => {
    travel(10 * MINUTE);

    const error = await rejection(auth.service.deleteAccount(undefined, cookies));

    expect(error).to.have.property('code', 'recent_sign_in_required');
    expect(deletions()).to.deep.equal([]);
    expect(cookies.values.size).to.equal(1);
  });

  it('ACCT-01: accepts a sign-in 9:59 ago', async () => {
    travel(10 * MINUTE - 1_000);

    await auth.service.deleteAccount(undefined, cookies);

    expect(deletions()).to.deep.equal(STEPS);
  });

  it('ACCT-01: deletes no one if another person is named', async () => {
    const error = await rejection(auth.service.deleteAccount('eve', cookies));

    expect(error).to.have.property('code', 'unauthenticated');
    expect(deletions()).to.deep.equal([]);
  });

  it('ACCT-01: requires a valid session', async () => {
    auth.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

    for (const jar of [cookies, new MemoryCookies()]) {
      expect(await rejection(auth.service.deleteAccount(undefined, jar))).to.have.property(
        'code',
        'unauthenticated',
      );
    }
    expect(deletions()).to.deep.equal([]);
  });

  for (const [step, route] of STEPS.entries()) {
    it(`ACCT-02: can be repeated with the same cookie after step ${step + 1} has failed`, async () => {
      auth.server.once(route, outage);

      const error = await rejection(auth.service.deleteAccount(undefined, cookies));
      expect(error).to.have.property('code', 'identity_unavailable');
      expect(cookies.values.size).to.equal(1);
      expect(auth.events.at(-1)).to.include({
        type: 'account.deletion-failed',
        reason: 'identity_unavailable',
      });
      if (step === 1) auth.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

      await auth.service.deleteAccount(undefined, cookies);

      expect(deletions().slice(-2)).to.deep.equal(STEPS);
      expect(cookies.values.size).to.equal(0);
    });
  }

  it('ACCT-02: succeeds if the account is already gone', async () => {
    auth.server.on('DELETE /users/*/sessions', appwriteError(404, 'user_not_found'));
    auth.server.on('DELETE /users/*', appwriteError(404, 'user_not_found'));

    await auth.service.deleteAccount(undefined, cookies);

    expect(cookies.values.size).to.equal(0);
  });

  it('AUTH-01: neither the link nor the session is in any event', () => {
    const text = printed(auth.events);

    expect(text).to.not.include(LINK_SECRET).and.not.include(sessionSecretOf('ada', 's1').slice(0, 40));
    expect(text).to.not.match(/\bada\b|example/);
  });
});

/** Waits for work that is not awaited; the time limit of the test ends the wait. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}

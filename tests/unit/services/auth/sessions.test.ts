import { expect } from 'chai';
import { inspect } from 'node:util';
import { LINK_SECRET, accountAnswer, sessionSecretOf } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { playIdentity, type PlayedIdentity } from '../../../support/play-identity.js';
import { appwriteError, type Reply } from '../../../support/recording-identity-server.js';
import { oneAway } from '../../../support/one-away.js';
import { rejection } from '../../../support/rejection.js';

const SESSION = '__Host-crf_session';
const END = 'DELETE /account/sessions/current';
const SERVICE_END = 'DELETE /users/*/sessions/*';
const outage = appwriteError(500, 'general_server_error');
const MINUTE = 60_000;

let played: PlayedIdentity;
let cookies: MemoryCookies;

function travel(milliseconds: number): void {
  played.now = new Date(played.now.getTime() + milliseconds);
}

/** Returns a copy of the cookies, as another client might hold it. */
function copyOf(jar: MemoryCookies): MemoryCookies {
  const copy = new MemoryCookies();
  for (const [name, value] of jar.values) copy.values.set(name, value);
  return copy;
}

describe('AuthService.currentUser', () => {
  beforeEach(async () => {
    played = await playIdentity();
    cookies = new MemoryCookies();
    await played.auth.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => played.server.stop());

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
    it(`SESS-06: returns null for an unknown cookie of ${value.length} characters, without a request`, async () => {
      const asked = played.server.requests.length;
      cookies.values.set(SESSION, value);

      expect(await played.auth.currentUser(cookies)).to.equal(null);
      expect(played.server.requests).to.have.length(asked);
    });
  }

  it('SESS-06: returns null for a cookie with any alteration', async () => {
    const value = cookies.get(SESSION) ?? '';
    for (const other of oneAway(value)) {
      const jar = new MemoryCookies();
      jar.values.set(SESSION, other);
      expect(await played.auth.currentUser(jar)).to.equal(null);
    }
  });

  it('returns null without a cookie', async () => {
    expect(await played.auth.currentUser(new MemoryCookies())).to.equal(null);
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
      played.server.on('GET /account', reply);

      expect(await rejection(played.auth.currentUser(cookies))).to.have.property(
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
      played.server.on('GET /account', reply);

      expect(await played.auth.currentUser(cookies)).to.equal(null);
    });
  }

  it('MAIL-08: returns null for a domain that has been removed from the allow-list', async () => {
    played.server.on('GET /account', { status: 200, json: accountAnswer('ada', 'ada@removed.org') });

    expect(await played.auth.currentUser(cookies)).to.equal(null);
  });

  it('SESS-07: trusts a check for 30 seconds and no longer', async () => {
    await played.auth.currentUser(cookies);
    const asked = played.server.requestsTo('GET /account').length;
    travel(29_000);
    await played.auth.currentUser(cookies);
    expect(played.server.requestsTo('GET /account')).to.have.length(asked);

    played.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));
    travel(2_000);
    expect(await played.auth.currentUser(cookies)).to.equal(null);
  });

  it('SESS-07: does not cache a refusal', async () => {
    played.server.once('GET /account', appwriteError(403, 'user_blocked'));

    expect(await played.auth.currentUser(cookies)).to.equal(null);
    expect(await played.auth.currentUser(cookies)).to.have.property('id', 'ada');
  });

  it('SESS-05: returns to each of 200 concurrent callers their own account', async () => {
    // A busy machine needs more than half a second for this many.
    const crowd = await playIdentity({}, 30_000);
    const ids = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const jars = ids.map(() => new MemoryCookies());
    await Promise.all(ids.map((id, index) => crowd.auth.login(id, LINK_SECRET, jars[index] ?? cookies)));
    crowd.server.on('GET /account', ({ headers }) => {
      const text = Buffer.from(String(headers['x-appwrite-session']), 'base64').toString();
      const { id } = JSON.parse(text) as { id: string };
      return { status: 200, json: accountAnswer(id), delayMs: Math.random() * 50 };
    });

    const users = await Promise.all(jars.map((jar) => crowd.auth.currentUser(jar)));

    expect(users.map((user) => [user?.id, user?.email])).to.deep.equal(
      ids.map((id) => [id, `${id}@example.org`]),
    );
    await crowd.server.stop();
  }).timeout(120_000);
});

describe('AuthService.logout', () => {
  beforeEach(async () => {
    played = await playIdentity();
    cookies = new MemoryCookies();
    await played.auth.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => played.server.stop());

  it('SESS-03: ends the session at the identity backend and refuses the old cookie', async () => {
    const replay = copyOf(cookies);

    await played.auth.logout('ada', cookies);

    expect(played.server.requestsTo(END)).to.have.length(1);
    expect(cookies.values.size).to.equal(0);
    expect(await played.auth.currentUser(replay)).to.equal(null);
  });

  it('COOK-03: clears the cookie with the attributes it was set with', async () => {
    const { path, httpOnly, secure, sameSite } = cookies.attributes.get(SESSION) ?? {};

    await played.auth.logout('ada', cookies);

    expect(cookies.attributes.get(SESSION)).to.deep.equal({ path, httpOnly, secure, sameSite });
  });

  it('SESS-03: does not trust an earlier check', async () => {
    const replay = copyOf(cookies);
    await played.auth.currentUser(cookies);
    played.server.on(END, outage);
    played.server.on(SERVICE_END, outage);

    await played.auth.logout('ada', cookies);

    expect(await played.auth.currentUser(replay)).to.equal(null);
  });

  it('SESS-03: is not undone by a check that was in progress', async () => {
    const replay = copyOf(cookies);
    played.server.once('GET /account', { status: 200, json: accountAnswer('ada'), delayMs: 100 });

    const check = played.auth.currentUser(replay);
    await played.auth.logout('ada', cookies);

    expect(await check).to.equal(null);
    expect(await played.auth.currentUser(replay)).to.equal(null);
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
      played.server.once(END, reply);

      await played.auth.logout('ada', cookies);

      expect(cookies.values.size).to.equal(0);
      expect(await played.auth.currentUser(replay)).to.equal(null);
      expect(await rejection(played.auth.listSessions(replay))).to.have.property('code', 'unauthenticated');
      expect(played.events.map(({ type }) => type)).to.include('session.end-pending');
    });
  }

  it('SESS-03: ends the session there once the identity backend answers again', async () => {
    const other = new MemoryCookies();
    await played.auth.login('eve', LINK_SECRET, other);
    played.server.once(END, outage);
    await played.auth.logout('ada', cookies);
    travel(MINUTE);

    await played.auth.currentUser(other);

    await until(() => played.server.requestsTo(SERVICE_END).length === 1);
    expect(played.server.requestsTo(SERVICE_END)[0]?.url).to.equal('/v1/users/ada/sessions/s1');
  });

  it('SESS-03: ends pending sessions when the process stops', async () => {
    const other = new MemoryCookies();
    await played.auth.login('eve', LINK_SECRET, other);
    played.server.once(END, outage);
    played.server.once(END, outage);
    await played.auth.logout('ada', cookies);
    await played.auth.logout('eve', other);

    await played.auth.confirmEndedSessions();
    await played.auth.confirmEndedSessions();

    const urls = played.server.requestsTo(SERVICE_END).map(({ url }) => url);
    expect(urls).to.deep.equal(['/v1/users/ada/sessions/s1', '/v1/users/eve/sessions/s2']);
  });

  it('SESS-03: does not delay the stop while the identity backend is still down', async () => {
    const other = new MemoryCookies();
    await played.auth.login('eve', LINK_SECRET, other);
    played.server.once(END, outage);
    played.server.once(END, outage);
    played.server.on(SERVICE_END, outage);
    await played.auth.logout('ada', cookies);
    await played.auth.logout('eve', other);

    await played.auth.confirmEndedSessions();

    expect(played.server.requestsTo(SERVICE_END)).to.have.length(1);
  });

  it('SESS-03: is idempotent', async () => {
    const again = copyOf(cookies);

    await played.auth.logout('ada', cookies);
    await played.auth.logout('ada', cookies);
    await played.auth.logout('ada', again);

    expect(played.server.requestsTo(END)).to.have.length(1);
    expect(again.values.size).to.equal(0);
  });

  it('ends nothing without a valid session, and clears the cookie', async () => {
    const jar = new MemoryCookies();
    jar.values.set(SESSION, 'rubbish');

    await played.auth.logout(undefined, jar);

    expect(jar.values.size).to.equal(0);
    expect(played.server.requestsTo(END)).to.deep.equal([]);
  });

  it('ends no session of another person, whatever user id is given', async () => {
    const eve = new MemoryCookies();
    await played.auth.login('eve', LINK_SECRET, eve);

    await played.auth.logout('eve', cookies);

    expect(await played.auth.currentUser(eve)).to.have.property('id', 'eve');
    expect(cookies.values.size).to.equal(0);
  });

  it("ends a blocked person's session with the API key", async () => {
    played.server.once(END, appwriteError(403, 'user_blocked'));

    await played.auth.logout('ada', cookies);

    expect(played.server.requestsTo(SERVICE_END)).to.have.length(1);
  });
});

describe('AuthService.listSessions and endSession', () => {
  beforeEach(async () => {
    played = await playIdentity();
    cookies = new MemoryCookies();
    await played.auth.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => played.server.stop());

  it('SESS-08: lists the sessions without their secrets', async () => {
    const list = await played.auth.listSessions(cookies);

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
    await played.auth.endSession('other', cookies);

    expect(played.server.requestsTo('DELETE /account/sessions/other')).to.have.length(1);
    expect(await played.auth.currentUser(cookies)).to.have.property('id', 'ada');
  });

  it('SESS-08: ends the current session and clears the cookie', async () => {
    await played.auth.endSession('s1', cookies);

    expect(cookies.values.size).to.equal(0);
    expect(played.server.requestsTo(END)).to.have.length(1);
  });

  for (const id of ['unknown', 's999', 'current', '', '../sessions', 'a b']) {
    it(`SESS-08: refuses ${JSON.stringify(id)}, which is not a session of this person`, async () => {
      const error = await rejection(played.auth.endSession(id, cookies));

      expect(error).to.have.property('code', 'session_not_found');
      expect(await played.auth.currentUser(cookies)).to.have.property('id', 'ada');
    });
  }

  it('SESS-07: refuses a session that was ended elsewhere immediately, despite a recent check', async () => {
    const eve = new MemoryCookies();
    await played.auth.login('eve', LINK_SECRET, eve);
    const elsewhere = new MemoryCookies();
    await played.auth.login('eve', 'e'.repeat(64), elsewhere);
    await played.auth.currentUser(elsewhere);
    const { sessionId } = (await played.auth.currentUser(elsewhere)) ?? { sessionId: '' };
    played.server.once(`DELETE /account/sessions/${sessionId}`, { status: 204 });

    await played.auth.endSession(sessionId, eve);

    expect(await played.auth.currentUser(elsewhere)).to.equal(null);
  });

  it('SESS-08: requires a session', async () => {
    const nobody = new MemoryCookies();

    expect(await rejection(played.auth.listSessions(nobody))).to.have.property('code', 'unauthenticated');
    expect(await rejection(played.auth.endSession('other', nobody))).to.have.property(
      'code',
      'unauthenticated',
    );
  });
});

describe('AuthService.deleteAccount', () => {
  const STEPS = ['DELETE /users/ada/sessions', 'DELETE /users/ada'];

  beforeEach(async () => {
    played = await playIdentity();
    cookies = new MemoryCookies();
    await played.auth.login('ada', LINK_SECRET, cookies);
  });
  afterEach(() => played.server.stop());

  function deletions(): string[] {
    return played.server.requests
      .filter(({ method }) => method === 'DELETE')
      .map(({ method, url }) => `${method} ${url.replace('/v1', '')}`);
  }

  it('ACCT-02: ends all sessions, deletes the account and clears the cookie, in this order', async () => {
    const replay = copyOf(cookies);

    await played.auth.deleteAccount('ada', cookies);

    expect(deletions()).to.deep.equal(STEPS);
    expect(cookies.values.size).to.equal(0);
    expect(await played.auth.currentUser(replay)).to.equal(null);
    expect(played.events.map(({ type }) => type).slice(-2)).to.deep.equal([
      'account.sessions-ended',
      'account.deleted',
    ]);
  });

  it('ACCT-01: requires a sign-in less than ten minutes ago', async () => {
    travel(10 * MINUTE + 1_000);

    const error = await rejection(played.auth.deleteAccount(undefined, cookies));

    expect(error).to.have.property('code', 'recent_sign_in_required');
    expect(deletions()).to.deep.equal([]);
    expect(cookies.values.size).to.equal(1);
  });

  it('ACCT-01: accepts a sign-in 9:59 ago', async () => {
    travel(10 * MINUTE - 1_000);

    await played.auth.deleteAccount(undefined, cookies);

    expect(deletions()).to.deep.equal(STEPS);
  });

  it('ACCT-01: deletes no one if another person is named', async () => {
    const error = await rejection(played.auth.deleteAccount('eve', cookies));

    expect(error).to.have.property('code', 'unauthenticated');
    expect(deletions()).to.deep.equal([]);
  });

  it('ACCT-01: requires a valid session', async () => {
    played.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

    for (const jar of [cookies, new MemoryCookies()]) {
      expect(await rejection(played.auth.deleteAccount(undefined, jar))).to.have.property(
        'code',
        'unauthenticated',
      );
    }
    expect(deletions()).to.deep.equal([]);
  });

  for (const [step, route] of STEPS.entries()) {
    it(`ACCT-02: can be repeated with the same cookie after step ${step + 1} has failed`, async () => {
      played.server.once(route, outage);

      const error = await rejection(played.auth.deleteAccount(undefined, cookies));
      expect(error).to.have.property('code', 'identity_unavailable');
      expect(cookies.values.size).to.equal(1);
      if (step === 1) played.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

      await played.auth.deleteAccount(undefined, cookies);

      expect(deletions().slice(-2)).to.deep.equal(STEPS);
      expect(cookies.values.size).to.equal(0);
    });
  }

  it('ACCT-02: succeeds if the account is already gone', async () => {
    played.server.on('DELETE /users/*/sessions', appwriteError(404, 'user_not_found'));
    played.server.on('DELETE /users/*', appwriteError(404, 'user_not_found'));

    await played.auth.deleteAccount(undefined, cookies);

    expect(cookies.values.size).to.equal(0);
  });

  it('AUTH-01: neither the link nor the session is in any event', () => {
    const text = inspect(played.events, { depth: 9 });

    expect(text).to.not.include(LINK_SECRET).and.not.include(sessionSecretOf('ada', 's1').slice(0, 40));
    expect(text).to.not.match(/ada|example/);
  });
});

/** Waits for work that is not awaited; the time limit of the test ends the wait. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}

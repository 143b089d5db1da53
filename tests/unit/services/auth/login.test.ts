import { expect } from 'chai';
import { Cookie } from 'tough-cookie';
import { LINK_SECRET, accountAnswer, sessionSecretOf } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { oneAway } from '../../../support/one-away.js';
import { printed } from '../../../support/printed.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError, type Reply } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const EXCHANGE = 'POST /account/sessions/token';
const SESSION = '__Host-crf_session';
const MINUTE = 60_000;

describe('Auth.login', () => {
  let auth: TestAuth;
  let cookies: MemoryCookies;

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
  });
  afterEach(() => auth.server.stop());

  async function restart(overrides: Parameters<typeof startAuth>[0]): Promise<void> {
    await auth.server.stop();
    auth = await startAuth(overrides);
  }

  /** Requests a link and returns its state. */
  async function link(email = 'ada@example.org', jar?: MemoryCookies): Promise<string> {
    await auth.service.signupWithEmail(email, jar);
    return auth.lastState();
  }

  function travel(milliseconds: number): void {
    auth.now = new Date(auth.now.getTime() + milliseconds);
  }

  it('signs in with the user id and the secret of a link', async () => {
    const user = await auth.service.login('ada', LINK_SECRET, cookies);

    expect(user).to.deep.equal({
      id: 'ada',
      email: 'ada@example.org',
      sessionId: 's1',
      authenticatedAt: '2026-11-20T20:00:00.000Z',
      expiresAt: '2026-11-21T08:00:00.000Z',
      method: 'magic-url',
    });
    expect(await auth.service.currentUser(cookies)).to.deep.equal(user);
  });

  it('signs in with a link that has a signed state, and forwards the user agent', async () => {
    const st = await link();

    await auth.service.login('ada', LINK_SECRET, cookies, { st, userAgent: 'Firefox/150' });

    const [request] = auth.server.requestsTo(EXCHANGE);
    expect(request?.headers).to.have.property('x-forwarded-user-agent', 'Firefox/150');
  });

  describe('the cookie', () => {
    it('COOK-01: has the __Host- prefix and secure attributes, and expires when an idle session does', async () => {
      await auth.service.login('ada', LINK_SECRET, cookies);

      expect([...cookies.values.keys()]).to.deep.equal([SESSION]);
      expect(cookies.attributes.get(SESSION)).to.deep.equal({
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
        expires: new Date('2026-11-20T20:30:00.000Z'),
        maxAge: 1_800,
      });
      const value = cookies.get(SESSION) ?? '';
      expect(value.length).to.be.within(128, 4_000);
      expect(Cookie.parse(`${SESSION}=${value}`)?.value).to.equal(value); // The value needs no encoding.
    });

    it('COOK-01: ends with the session of the identity backend if that is sooner', async () => {
      auth.server.once(EXCHANGE, {
        status: 201,
        json: {
          $id: 's1',
          $createdAt: '',
          userId: 'ada',
          expire: '2026-11-20 21:00:00.000',
          secret: sessionSecretOf('ada'),
        },
      });

      const user = await auth.service.login('ada', LINK_SECRET, cookies);

      expect(user.expiresAt).to.equal('2026-11-20T21:00:00.000Z');
    });

    it('COOK-01: reveals neither the session secret nor the person', async () => {
      await auth.service.login('ada', LINK_SECRET, cookies);

      const value = cookies.get(SESSION) ?? '';
      const decoded = Buffer.from(value, 'base64url').toString('latin1');
      expect(value + decoded)
        .to.not.include(sessionSecretOf('ada').slice(0, 32))
        .and.not.match(/\bada\b|secret/);
    });

    it('COOK-04: has no prefix and no Secure attribute on plain-HTTP loopback', async () => {
      await restart({ loginUrl: 'http://localhost:3000/login' });

      await auth.service.login('ada', LINK_SECRET, cookies);

      expect([...cookies.values.keys()]).to.deep.equal(['crf_session']);
      expect(cookies.attributes.get('crf_session')).to.have.property('secure', false);
    });

    it('SESS-01: is never adopted from a planted value, but replaced', async () => {
      cookies.set(SESSION, 'planted-by-somebody-else', {
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
      });

      expect(await auth.service.currentUser(cookies)).to.equal(null);
      await auth.service.login('ada', LINK_SECRET, cookies);

      expect(cookies.get(SESSION)).to.not.equal('planted-by-somebody-else');
    });

    it('SESS-01: replaces the previous session, which is ended', async () => {
      await auth.service.login('ada', 'a'.repeat(64), cookies);
      const before = new MemoryCookies();
      before.values.set(SESSION, cookies.get(SESSION) ?? '');

      const user = await auth.service.login('ada', LINK_SECRET, cookies);

      expect(user.id).to.equal('ada');
      expect(await auth.service.currentUser(before)).to.equal(null);
      expect(auth.server.requestsTo('DELETE /users/*/sessions/*')).to.have.length(1);
    });
  });

  describe('one use', () => {
    it('LOGIN-05: makes one session of 50 parallel uses of one link', async () => {
      const jars = Array.from({ length: 50 }, () => new MemoryCookies());

      const outcomes = await Promise.allSettled(
        jars.map((jar) => auth.service.login('ada', LINK_SECRET, jar)),
      );

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(codesOf(outcomes)).to.deep.equal(Array(49).fill('sign_in_failed'));
      expect(jars.filter((jar) => jar.get(SESSION) !== undefined)).to.have.length(1);
      expect(auth.server.requestsTo(EXCHANGE)).to.have.length(1);
    });

    it('LOGIN-05: refuses a used link even if the identity backend would accept it again', async () => {
      await auth.service.login('ada', LINK_SECRET, cookies);

      expect(await rejection(auth.service.login('ada', LINK_SECRET, cookies))).to.have.property(
        'code',
        'sign_in_failed',
      );
      expect(auth.server.requestsTo(EXCHANGE)).to.have.length(1);
    });

    it('LOGIN-05: keeps different links independent', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `user-${index}`);

      const users = await Promise.all(
        ids.map((id) => auth.service.login(id, LINK_SECRET, new MemoryCookies())),
      );

      expect(users.map(({ id }) => id)).to.deep.equal(ids);
    });

    const outages: [string, Reply][] = [
      ['a timeout', 'hang'],
      ['a broken connection', 'reset'],
      ['a 500', appwriteError(500, 'general_server_error')],
      ['a rate limit', appwriteError(429, 'general_rate_limit_exceeded')],
    ];
    for (const [name, reply] of outages) {
      it(`LOGIN-09: leaves the link valid after ${name} during the exchange`, async () => {
        auth.server.once(EXCHANGE, reply);

        const error = await rejection(auth.service.login('ada', LINK_SECRET, cookies));

        expect(error).to.include({ code: 'identity_unavailable', retryAfterSeconds: 5 });
        expect(cookies.values.size).to.equal(0);
        expect(await auth.service.login('ada', LINK_SECRET, cookies)).to.have.property('id', 'ada');
      });

      it(`LOGIN-09: leaves the link valid after ${name} after the exchange, and resumes the same session`, async () => {
        auth.server.once('GET /account', reply);
        auth.server.once(EXCHANGE, { status: 201, json: { ...exchanged(), $id: 'first' } });
        auth.server.on(EXCHANGE, appwriteError(401, 'user_invalid_token'));

        const error = await rejection(auth.service.login('ada', LINK_SECRET, cookies));

        expect(error).to.have.property('code', 'identity_unavailable');
        expect(await auth.service.login('ada', LINK_SECRET, cookies)).to.have.property('sessionId', 'first');
        expect(auth.server.requestsTo(EXCHANGE)).to.have.length(1);
      });
    }

    it('LOGIN-07: invalidates older links of the same person at sign-in', async () => {
      const first = await link();
      const second = await link();
      const third = await link();
      travel(1_000);
      await auth.service.login('ada', 'b'.repeat(64), cookies, { st: second });

      for (const [st, secret] of [
        [first, 'a'.repeat(64)],
        [third, 'c'.repeat(64)],
      ] as const) {
        const error = await rejection(auth.service.login('ada', secret, cookies, { st }));
        expect(error).to.have.property('code', 'sign_in_failed');
      }

      travel(1_000);
      const fourth = await link();
      expect(await auth.service.login('ada', 'd'.repeat(64), cookies, { st: fourth })).to.have.property(
        'id',
        'ada',
      );
    });
  });

  describe('the age and the state of a link', () => {
    it('LOGIN-06: accepts a link after 9:59', async () => {
      const st = await link();
      travel(10 * MINUTE - 1_000);

      expect(await auth.service.login('ada', LINK_SECRET, cookies, { st })).to.have.property('id', 'ada');
    });

    for (const name of ['with its state', 'stripped of its state'] as const) {
      it(`LOGIN-06: refuses a link after 10:01 ${name}, without an exchange`, async () => {
        const st = await link();
        travel(10 * MINUTE + 1_000);

        const error = await rejection(
          auth.service.login('ada', LINK_SECRET, cookies, name === 'with its state' ? { st } : {}),
        );

        expect(error).to.have.property('code', 'sign_in_failed');
        expect(auth.server.requestsTo(EXCHANGE)).to.deep.equal([]);
      });
    }

    it('LOGIN-06: refuses a state with any alteration, without an exchange', async () => {
      const st = await link();
      const outcomes = await Promise.allSettled(
        [...oneAway(st), '', 'x', `${st}A`, ` ${st}`, st.slice(1)].map((value) =>
          auth.service.login('ada', LINK_SECRET, cookies, { st: value }),
        ),
      );

      expect(new Set(codesOf(outcomes))).to.deep.equal(new Set(['sign_in_failed']));
      expect(outcomes.every(({ status }) => status === 'rejected')).to.equal(true);
      expect(auth.server.requestsTo(EXCHANGE)).to.deep.equal([]);
    });

    it('LOGIN-06: refuses the state of a service with another key', async () => {
      const other = await startAuth({
        appwrite: { endpoint: auth.server.endpoint, projectId: 'study', apiKey: 'another-key' },
      });
      await other.service.signupWithEmail('ada@example.org');
      const st = auth.lastState();
      await other.server.stop();

      const error = await rejection(auth.service.login('ada', LINK_SECRET, cookies, { st }));

      expect(error).to.have.property('code', 'sign_in_failed');
    });

    it("LOGIN-06: refuses an old link with the state of someone else's newer link", async () => {
      const st = await link('eve@example.org');

      const error = await rejection(auth.service.login('ada', 'd'.repeat(64), cookies, { st }));

      expect(error).to.have.property('code', 'sign_in_failed');
      expect(cookies.values.size).to.equal(0);
      expect(auth.server.requestsTo('DELETE /users/ada/sessions/*')).to.have.length(1);
    });

    it('accepts only signed links if configured to', async () => {
      await restart({ signedLinksOnly: true });

      expect(await rejection(auth.service.login('ada', LINK_SECRET, cookies))).to.have.property(
        'code',
        'sign_in_failed',
      );
      const st = await link();
      expect(await auth.service.login('ada', LINK_SECRET, cookies, { st })).to.have.property('id', 'ada');
    });
  });

  describe('refusals', () => {
    it('LOGIN-08: are the same for used, expired, malformed, unknown and blocked links', async () => {
      const errors: Error[] = [];
      await auth.service.login('ada', LINK_SECRET, new MemoryCookies());
      errors.push(await rejection(auth.service.login('ada', LINK_SECRET, cookies)));
      const st = await link();
      travel(11 * MINUTE);
      errors.push(await rejection(auth.service.login('ada', 'e'.repeat(64), cookies, { st })));
      errors.push(await rejection(auth.service.login('../SENTINEL', 'e'.repeat(64), cookies)));
      errors.push(await rejection(auth.service.login('ada', 'SENTINEL <script>', cookies)));
      auth.server.once(EXCHANGE, appwriteError(401, 'user_invalid_token', 'SENTINEL'));
      errors.push(await rejection(auth.service.login('SENTINEL', 'e'.repeat(64), cookies)));
      auth.server.once('GET /account', appwriteError(403, 'user_blocked', 'SENTINEL'));
      errors.push(await rejection(auth.service.login('eve', 'e'.repeat(64), cookies)));

      expect(new Set(errors.map((error) => JSON.stringify(error))).size).to.equal(1);
      expect(errors.every((error) => error.constructor === errors[0]?.constructor)).to.equal(true);
      expect(printed(errors)).to.not.include('SENTINEL');
      expect(cookies.values.size).to.equal(0);
    });

    it('LOGIN-10: reach no server for malformed parameters', async () => {
      for (const secret of ['', 'a b', 'a'.repeat(257), ['a'] as unknown as string]) {
        expect(await rejection(auth.service.login('ada', secret, cookies))).to.have.property(
          'code',
          'sign_in_failed',
        );
      }
      expect(auth.server.requests).to.deep.equal([]);
    });

    const exchangedButRefused: [string, Reply][] = [
      ['a blocked person', appwriteError(403, 'user_blocked')],
      ['a person who owes a second factor', appwriteError(401, 'user_more_factors_required')],
      ['a session that has already ended', appwriteError(401, 'general_unauthorized_scope')],
      [
        'a disabled person',
        { status: 200, json: accountAnswer('ada', 'ada@example.org', { status: false }) },
      ],
      ['another person', { status: 200, json: accountAnswer('eve') }],
      ['an address that is not allowed', { status: 200, json: accountAnswer('ada', '"a"@example.org') }],
    ];
    for (const [name, reply] of exchangedButRefused) {
      it(`refuse ${name} after the exchange, and end the session`, async () => {
        auth.server.once('GET /account', reply);

        expect(await rejection(auth.service.login('ada', LINK_SECRET, cookies))).to.have.property(
          'code',
          'sign_in_failed',
        );

        expect(cookies.values.size).to.equal(0);
        const [ended] = auth.server.requestsTo('DELETE /users/*/sessions/*');
        expect(ended?.url).to.equal('/v1/users/ada/sessions/s1');
      });
    }

    it('MAIL-08: include a domain that has been removed from the allow-list', async () => {
      auth.server.once('GET /account', { status: 200, json: accountAnswer('ada', 'ada@removed.org') });

      const error = await rejection(auth.service.login('ada', LINK_SECRET, cookies));

      expect(error).to.have.property('code', 'sign_in_failed');
      expect(auth.server.requestsTo('DELETE /users/ada/sessions/s1')).to.have.length(1);
    });

    it('cause one event per failed link, with the reason as a category', async () => {
      await rejection(auth.service.login('ada', 'a b', cookies));
      auth.server.once('GET /account', appwriteError(403, 'user_blocked'));
      await rejection(auth.service.login('ada', LINK_SECRET, cookies));

      expect(auth.events.map(({ type, reason }) => [type, reason])).to.deep.equal([
        ['link.failed', 'malformed'],
        ['link.failed', 'blocked'],
      ]);
      expect(printed(auth.events)).to.not.match(/\bada\b|(f00d){2}/);
    });
  });

  describe('checkLink', () => {
    it('AUTH-06: recognizes only the browser that requested the link', async () => {
      const st = await link('ada@example.org', cookies);
      const other = new MemoryCookies();
      await link('eve@example.org', other);

      const isBound = async (jar: MemoryCookies, state?: string) =>
        (await auth.service.checkLink('ada', LINK_SECRET, jar, { st: state })).isBound;

      expect(await isBound(cookies, st)).to.equal(true);
      expect(await isBound(other, st)).to.equal(false);
      expect(await isBound(new MemoryCookies(), st)).to.equal(false);
      expect(await isBound(cookies)).to.equal(false);
    });

    it('AUTH-06: does not bind a link that a program requested to a browser', async () => {
      const st = await link();
      await link('ada@example.org', cookies);

      expect((await auth.service.checkLink('ada', LINK_SECRET, cookies, { st })).isBound).to.equal(false);
    });

    const modes = [
      ['never', false, false],
      ['unbound', false, true],
      ['always', true, true],
    ] as const;
    for (const [loginConfirm, whenBound, whenUnbound] of modes) {
      it(`requires confirmation according to loginConfirm=${loginConfirm}, without using the link`, async () => {
        await restart({ loginConfirm });
        const st = await link('ada@example.org', cookies);
        const isNeeded = async (jar: MemoryCookies) =>
          (await auth.service.checkLink('ada', LINK_SECRET, jar, { st })).isConfirmNeeded;

        expect([await isNeeded(cookies), await isNeeded(new MemoryCookies())]).to.deep.equal([
          whenBound,
          whenUnbound,
        ]);
        expect(auth.server.requestsTo(EXCHANGE)).to.deep.equal([]);
        expect(await auth.service.login('ada', LINK_SECRET, cookies, { st })).to.have.property('id', 'ada');
      });
    }

    it('refuses the links that login would refuse, without an exchange', async () => {
      const st = await link();
      const codeOf = async (secret: string, state?: string) => {
        const error = await rejection(auth.service.checkLink('ada', secret, cookies, { st: state }));
        return (error as { code?: unknown }).code;
      };

      expect(await codeOf('a b')).to.equal('sign_in_failed');
      expect(await codeOf(LINK_SECRET, 'x')).to.equal('sign_in_failed');
      await auth.service.login('ada', LINK_SECRET, cookies, { st });
      expect(await codeOf(LINK_SECRET, st)).to.equal('sign_in_failed');
      travel(11 * MINUTE);
      expect(await codeOf('e'.repeat(64), st)).to.equal('sign_in_failed');
    });
  });
});

function exchanged(): object {
  return {
    $createdAt: '',
    userId: 'ada',
    expire: '2027-11-20T20:00:00.123+00:00',
    secret: sessionSecretOf('ada', 'first'),
  };
}

function codesOf(outcomes: PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as { code?: unknown }).code] : [],
  );
}

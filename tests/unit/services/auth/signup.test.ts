import { expect } from 'chai';
import { LINK_SECRET, tokenAnswer } from '../../../support/identity-answers.js';
import { ManualClock, settled } from '../../../support/manual-clock.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { printed } from '../../../support/printed.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError, type Reply } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const LINK_ROUTE = 'POST /account/tokens/magic-url';
const BINDING = '__Host-crf_session_link';

describe('Auth.signupWithEmail', () => {
  let auth: TestAuth;

  beforeEach(async () => {
    auth = await startAuth();
  });
  afterEach(() => auth.server.stop());

  async function restart(overrides: Parameters<typeof startAuth>[0]): Promise<void> {
    await auth.server.stop();
    auth = await startAuth(overrides);
  }

  function sent(): { userId: string; email: string; url: string }[] {
    return auth.server.requestsTo(LINK_ROUTE).map(({ body }) => JSON.parse(body) as never);
  }

  it('returns the id of the token', async () => {
    expect(await auth.service.signupWithEmail('ada@example.org')).to.deep.equal({
      token: '6740a1f2c3d4e5f60718',
      phrase: '',
    });
  });

  it('MAIL-05: sends to exactly the address that was checked', async () => {
    await auth.service.signupWithEmail('Ada＠ＥXAMPLE。org');

    expect(sent()[0]?.email).to.equal('ada@example.org');
    expect(auth.service.canonicalAddress('Ada＠ＥXAMPLE。org')).to.equal('ada@example.org');
  });

  it('AUTH-01: reveals the secret of the link in no answer, cookie, event or error', async () => {
    const seen: unknown[] = [];
    const cookies = new MemoryCookies();
    const replies: Reply[] = [
      appwriteError(400, 'general_argument_invalid', `Invalid \`url\` param: ${LINK_SECRET}`),
      appwriteError(500, 'general_server_error', LINK_SECRET),
      appwriteError(409, 'user_email_already_exists', LINK_SECRET),
      { status: 200, text: LINK_SECRET, contentType: 'text/html' },
      { status: 201, json: { secret: LINK_SECRET } },
      'reset',
    ];
    seen.push(await auth.service.signupWithEmail('ada@example.org', cookies));
    for (const reply of replies) {
      auth.server.once(LINK_ROUTE, reply);
      seen.push(
        await auth.service.signupWithEmail('ada@example.org', cookies).catch((error: unknown) => error),
      );
    }
    seen.push(auth.events, cookies);

    const text = printed(seen);
    expect(text).to.not.include(LINK_SECRET);
    expect(seen).to.have.length(9);
  });

  it('AUTH-02: answers the same for known, new and blocked people, a conflict and a quota', async () => {
    const replies: Reply[] = [
      appwriteError(409, 'user_email_already_exists'),
      appwriteError(400, 'user_count_exceeded'),
      appwriteError(400, 'user_email_disposable'),
      appwriteError(403, 'user_blocked'),
    ];
    const sentCookies = new MemoryCookies();
    const answer = await auth.service.signupWithEmail('ada@example.org', sentCookies);
    for (const reply of replies) {
      auth.server.once(LINK_ROUTE, reply);
      const cookies = new MemoryCookies();

      const other = await auth.service.signupWithEmail('ada@example.org', cookies);

      expect(Object.keys(other)).to.deep.equal(Object.keys(answer));
      expect(other.token).to.match(/^[0-9a-f]{20}$/);
      expect(cookies.attributes).to.deep.equal(sentCookies.attributes);
    }
  });

  it('AUTH-02: makes up token ids that start with the time, as real ones do', async () => {
    auth.server.once(LINK_ROUTE, appwriteError(409, 'user_email_already_exists'));

    const { token } = await auth.service.signupWithEmail('ada@example.org');

    expect(Number.parseInt(token.slice(0, 8), 16)).to.equal(auth.now.getTime() / 1000);
  });

  for (const [what, reply] of [
    ['a new address', { status: 201, json: tokenAnswer() }],
    ['a known address', appwriteError(409, 'user_email_already_exists')],
    ['an outage', 'reset'],
  ] as const) {
    it(`AUTH-03: answers ${what} only after the minimum time, however fast the identity backend is`, async () => {
      const clock = new ManualClock();
      const wait = (inMs: number) => new Promise<void>((resolve) => void clock.schedule(inMs, resolve));
      await restart({ signupFloorMs: 120, wait });
      auth.server.on(LINK_ROUTE, reply);
      let isAnswered = false;
      const settle = (): void => void (isAnswered = true);
      const answer = auth.service.signupWithEmail('ada@example.org').then(settle, settle);

      while (sent().length === 0) await settled();
      await clock.advance(119);
      expect(clock.pending, 'what is left of the floor').to.deep.equal([1]);
      expect(isAnswered).to.equal(false);

      await clock.advance(1);
      await answer;
      expect(clock.pending).to.deep.equal([]);
    });
  }

  it('AUTH-03: makes the same calls in the same order for a known and a new address', async () => {
    const traceOf = async (reply: Reply): Promise<unknown[]> => {
      const before = auth.server.requests.length;
      auth.server.once(LINK_ROUTE, reply);
      await auth.service.signupWithEmail('ada@example.org', new MemoryCookies());
      return auth.server.requests.slice(before).map(({ method, url }) => [method, url]);
    };

    const known = await traceOf(appwriteError(409, 'user_email_already_exists'));
    const unknown = await traceOf({ status: 201, json: tokenAnswer() });

    expect(known).to.have.length(1);
    expect(known).to.deep.equal(unknown);
  });

  it('AUTH-04: sends a link to the configured URL, with a signed state', async () => {
    await restart({ loginUrl: 'https://app.example.org/sign/in?lang=de' });

    await auth.service.signupWithEmail('ada@example.org');

    expect(sent()[0]?.url).to.match(/^https:\/\/app\.example\.org\/sign\/in\?lang=de&st=[A-Za-z0-9_-]{138}$/);
  });

  it('AUTH-05: makes every state, id and browser binding unique', async () => {
    const cookies = new MemoryCookies();
    const bindings = new Set<string | undefined>();
    for (let round = 0; round < 50; round += 1) {
      await auth.service.signupWithEmail('ada@example.org', cookies);
      bindings.add(cookies.get(BINDING));
    }

    expect(new Set(sent().map(({ url }) => url)).size).to.equal(50);
    expect(new Set(sent().map(({ userId }) => userId)).size).to.equal(50);
    expect(bindings.size).to.equal(50);
    expect(sent()[0]?.userId).to.match(/^[0-9a-f]{32}$/);
  });

  it('AUTH-06: marks the requesting browser for the lifetime of the link', async () => {
    const cookies = new MemoryCookies();

    await auth.service.signupWithEmail('ada@example.org', cookies);

    expect(cookies.attributes.get(BINDING)).to.deep.equal({
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'lax',
      maxAge: 600,
    });
    expect(sent()[0]?.url).to.not.include(cookies.get(BINDING));
  });

  const refused: [string, string][] = [
    ['not an address', 'invalid_identifier'],
    ['"a@evil.com"@example.org', 'invalid_identifier'],
    ['ada@evil.org', 'domain_not_allowed'],
    ['ada@example.org.evil.com', 'domain_not_allowed'],
  ];
  for (const [email, code] of refused) {
    it(`MAIL-01, MAIL-02: refuses ${email} before any request`, async () => {
      expect(await rejection(auth.service.signupWithEmail(email))).to.have.property('code', code);
      expect(auth.server.requests).to.deep.equal([]);
      expect(auth.service.canonicalAddress(email)).to.equal(undefined);
    });
  }

  it('reports an address that the identity backend finds malformed', async () => {
    auth.server.once(LINK_ROUTE, appwriteError(400, 'general_argument_invalid', 'Invalid `email` param: no'));

    const error = await rejection(auth.service.signupWithEmail('ada@example.org'));

    expect(error).to.have.property('code', 'invalid_identifier');
    expect(error.message).to.match(/^An email address /);
  });

  it('writes events without address or id', async () => {
    await auth.service.signupWithEmail('ada@example.org');
    await rejection(auth.service.signupWithEmail('eve@evil.org'));

    expect(auth.events.map(({ type, reason }) => [type, reason])).to.deep.equal([
      ['link.requested', undefined],
      ['link.refused', 'domain'],
    ]);
    auth.server.once(LINK_ROUTE, appwriteError(400, 'user_count_exceeded'));
    await auth.service.signupWithEmail('ada@example.org');
    expect(auth.events.at(-1)).to.include({ type: 'link.refused', reason: 'declined' });
    expect(printed(auth.events)).to.not.match(/\bada\b|\beve\b|example|@/);
  });

  for (const [when, onEvent] of [
    ['immediately', () => fail()],
    ['later', (): unknown => Promise.resolve().then(fail)],
  ] as const) {
    it(`succeeds even if an event listener fails ${when}`, async () => {
      await restart({ onEvent });

      expect(await auth.service.signupWithEmail('ada@example.org')).to.have.property('token');
    });
  }

  describe('with resolveUserId', () => {
    it("uses the study's user id for the account", async () => {
      const asked: string[] = [];
      await restart({
        resolveUserId: async (email) => {
          asked.push(email);
          return 'ada-lovelace';
        },
      });

      await auth.service.signupWithEmail('Ada@Example.org');

      expect(sent().map(({ userId }) => userId)).to.deep.equal(['ada-lovelace']);
      expect(asked).to.deep.equal(['ada@example.org']);
    });

    const useless: [string, () => Promise<string | undefined>, reason: string | undefined][] = [
      ['fails', () => Promise.reject(new Error('down')), 'failed'],
      [
        'throws',
        () => {
          throw new Error('down');
        },
        'failed',
      ],
      ['finds no one', async () => undefined, undefined],
      ['returns an invalid user id', async () => '../users', 'not-a-user-id'],
      ['returns a number', async () => 7 as unknown as string, 'not-a-user-id'],
    ];
    for (const [name, resolveUserId, reason] of useless) {
      it(`signs up with a random id if it ${name}`, async () => {
        await restart({ resolveUserId });

        expect(await auth.service.signupWithEmail('ada@example.org')).to.have.property('token');
        expect(sent()[0]?.userId).to.match(/^[0-9a-f]{32}$/);
        expect(auth.events.map((event) => [event.type, event.reason])).to.deep.equal([
          ...(reason === undefined ? [] : [['user-id.unresolved', reason]]),
          ['link.requested', undefined],
        ]);
      });
    }

    it('stops waiting for it after a time limit', async () => {
      await restart({ resolveUserId: () => new Promise(() => undefined) });
      const keepAlive = setInterval(() => undefined, 1_000); // The time limit itself does not keep the process alive.

      const { token } = await auth.service.signupWithEmail('ada@example.org');

      clearInterval(keepAlive);
      expect(token).to.be.a('string');
      expect(auth.events[0]).to.include({ type: 'user-id.unresolved', reason: 'timeout' });
    });

    it('uses a random id if the resolved one is taken', async () => {
      await restart({ resolveUserId: async () => 'taken' });
      auth.server.once(LINK_ROUTE, appwriteError(500, 'general_unknown'));

      const answer = await auth.service.signupWithEmail('ada@example.org');

      expect(answer).to.have.property('token', '6740a1f2c3d4e5f60718');
      expect(sent().map(({ userId }) => userId === 'taken')).to.deep.equal([true, false]);
    });

    it('reports an outage after a second 500', async () => {
      await restart({ resolveUserId: async () => 'taken' });
      auth.server.on(LINK_ROUTE, appwriteError(500, 'general_unknown'));

      const error = await rejection(auth.service.signupWithEmail('ada@example.org'));

      expect(error).to.have.property('code', 'identity_unavailable');
      expect(sent()).to.have.length(2);
    });
  });

  it('reports an outage after a 500 without resolveUserId, and tries no other id', async () => {
    auth.server.on(LINK_ROUTE, appwriteError(500, 'general_unknown'));

    const error = await rejection(auth.service.signupWithEmail('ada@example.org'));

    expect(error).to.have.property('code', 'identity_unavailable');
    expect(sent()).to.have.length(1);
  });
});

function fail(): never {
  throw new Error('The log is full.');
}

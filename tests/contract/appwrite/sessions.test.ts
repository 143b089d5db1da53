import { expect } from 'chai';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { asGuest, refusalOf, signIn, withKey, withSession } from './clients.js';

const EMAIL = 'ada@example.org';
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

describe('A session of the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  let now: number;

  beforeEach(async () => {
    now = Date.parse('2026-11-20T20:00:00.000Z');
    sandbox = await startAppwriteSandbox({ clock: () => new Date(now) });
  });
  afterEach(() => sandbox.close());

  const link = (email = EMAIL) => withKey(sandbox).account.createMagicURLToken({ userId: 'unique()', email });
  const exchange = (token: { userId: string; secret: string }, caller = withKey(sandbox)) =>
    caller.account.createSession({ userId: token.userId, secret: token.secret });

  it('is created from a link, and verifies the address', async () => {
    const token = await link();
    const session = await exchange(token);

    expect(session).to.include({
      userId: token.userId,
      provider: 'magic-url',
      current: true,
      $createdAt: '2026-11-20T20:00:00.000+00:00',
      expire: '2027-11-20T20:00:00.000+00:00',
    });
    expect(session.factors).to.deep.equal(['email']);
    expect(sandbox.store.user(token.userId)?.isEmailVerified).to.equal(true);
    expect((await withSession(sandbox, session.secret).account.get()).email).to.equal(EMAIL);
  });

  it('has every documented field, blank if unknown', async () => {
    const { client, account } = withKey(sandbox);
    client.setForwardedUserAgent('curl/8.5.0');
    const token = await link();
    const { $id, secret, ...session } = await account.createSession({
      userId: token.userId,
      secret: token.secret,
    });
    const blank = ['providerUid', 'providerAccessToken', 'providerAccessTokenExpiry', 'providerRefreshToken'];
    const device = [
      'osCode',
      'osName',
      'osVersion',
      'clientType',
      'clientCode',
      'clientName',
      'clientVersion',
    ];
    const rest = ['clientEngine', 'clientEngineVersion', 'deviceName', 'deviceBrand', 'deviceModel'];
    const blanks = [...blank, ...device, ...rest, 'countryName', 'mfaUpdatedAt'];

    expect($id).to.match(/^[0-9a-f]{20}$/);
    expect(secret).to.have.length(396);
    expect(session).to.deep.equal({
      $createdAt: '2026-11-20T20:00:00.000+00:00',
      $updatedAt: '2026-11-20T20:00:00.000+00:00',
      userId: token.userId,
      expire: '2027-11-20T20:00:00.000+00:00',
      provider: 'magic-url',
      ip: '127.0.0.1',
      countryCode: '--',
      current: true,
      factors: ['email'],
      ...Object.fromEntries(blanks.map((name) => [name, ''])),
    });
  });

  it('has a secret that is base64 of the user id and 256 hexadecimal digits', async () => {
    const token = await link();
    const { secret } = await exchange(token);
    const inner = JSON.parse(Buffer.from(secret, 'base64').toString()) as Record<string, string>;

    expect(secret).to.have.length(396);
    expect(inner.id).to.equal(token.userId);
    expect(inner.secret).to.match(/^[0-9a-f]{256}$/);
  });

  it('returns its secret only to a key, and to others in headers', async () => {
    const token = await link();
    const response = await fetch(`${sandbox.endpoint}/account/sessions/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-appwrite-project': sandbox.projectId },
      body: JSON.stringify({ userId: token.userId, secret: token.secret }),
    });
    const body = (await response.json()) as { secret: string };

    expect(response.status).to.equal(201);
    expect(body.secret).to.equal('');
    const fallback = JSON.parse(response.headers.get('x-fallback-cookies') ?? '') as Record<string, string>;
    const secret = fallback.a_session_sandbox ?? '';
    expect((await withSession(sandbox, secret).account.get()).$id).to.equal(token.userId);
    expect(response.headers.getSetCookie()).to.deep.equal([
      `a_session_sandbox=${encodeURIComponent(secret)}; path=/; httponly; samesite=none`,
      `a_session_sandbox_legacy=${encodeURIComponent(secret)}; path=/; httponly`,
    ]);
  });

  for (const [what, change] of [
    ['another secret', { secret: 'f'.repeat(64) }],
    ['the longest secret', { secret: 'f'.repeat(256) }],
    ['a user who does not exist', { userId: 'nobody' }],
  ] as const) {
    it(`is not created for ${what}, and the link stays valid`, async () => {
      const token = await link();

      expect(await refusalOf(exchange({ ...token, ...change }))).to.equal('401 user_invalid_token');
      expect((await exchange(token)).userId).to.equal(token.userId);
    });
  }

  it("is not created from one person's link with another person's id", async () => {
    const [ada, eve] = [await link(), await link('eve@example.org')];

    expect(await refusalOf(exchange({ userId: eve.userId, secret: ada.secret }))).to.equal(
      '401 user_invalid_token',
    );
  });

  it('is created once per link, while older links stay valid', async () => {
    const [first, second] = [await link(), await link()];
    await exchange(second);

    expect(await refusalOf(exchange(second))).to.equal('401 user_invalid_token');
    expect((await exchange(first)).userId).to.equal(first.userId);
  });

  it('is created until the link is an hour old, and no longer', async () => {
    const [early, late] = [await link(), await link()];
    now += HOUR;
    expect((await exchange(early)).current).to.equal(true);
    now += 1;
    expect(await refusalOf(exchange(late))).to.equal('401 user_invalid_token');
  });

  it('is not created for someone who already has one', async () => {
    const { secret } = await signIn(sandbox, EMAIL);
    const token = await link();

    expect(await refusalOf(exchange(token, withSession(sandbox, secret)))).to.equal(
      '401 user_session_already_exists',
    );
  });

  for (const [what, parameters] of [
    ['an empty secret', { userId: 'a', secret: '' }],
    ['a secret of 257 characters', { userId: 'a', secret: 'x'.repeat(257) }],
    ['an invalid user id', { userId: '/', secret: 'x' }],
  ] as const) {
    it(`is not created for ${what}: 400`, async () => {
      const response = await fetch(`${sandbox.endpoint}/account/sessions/token`, {
        method: 'POST',
        headers: { 'x-appwrite-project': sandbox.projectId },
        body: JSON.stringify(parameters),
      });

      expect(response.status).to.equal(400);
      expect(await response.json()).to.include({ code: 400, type: 'general_argument_invalid' });
    });
  }

  it('expires after a year, and is not extended by its use', async () => {
    const { secret } = await signIn(sandbox, EMAIL);
    const { account } = withSession(sandbox, secret);
    now += YEAR - 1;
    await account.get();
    now += 1;

    expect(await refusalOf(account.get())).to.equal('401 general_unauthorized_scope');
  });

  it('is one of at most ten: the eleventh ends the oldest', async () => {
    const secrets: string[] = [];
    for (let count = 0; count < 11; count += 1) secrets.push((await signIn(sandbox, EMAIL)).secret);
    const alive = await Promise.all(
      secrets.map((secret) =>
        withSession(sandbox, secret)
          .account.get()
          .then(
            () => true,
            () => false,
          ),
      ),
    );

    expect(alive).to.deep.equal([false, ...Array.from({ length: 10 }, () => true)]);
  });

  it('describes the browser that signed in', async () => {
    const { client, account } = withKey(sandbox);
    client.setForwardedUserAgent('Mozilla/5.0 (Windows NT 10.0) Chrome/150.0 Safari/537.36 Edg/150.1');
    const token = await link();

    expect(await account.createSession({ userId: token.userId, secret: token.secret })).to.include({
      clientName: 'Microsoft Edge',
      clientVersion: '150.1',
      osName: 'Windows',
      deviceName: 'desktop',
    });
  });

  for (const [what, secret] of [
    ['not base64', 'not base64!'],
    ['base64 of no JSON', Buffer.from('{').toString('base64')],
    ['base64 of null', Buffer.from('null').toString('base64')],
    ['the id of the session', 'f'.repeat(20)],
    ['a secret of another type', Buffer.from('{"id":1,"secret":2}').toString('base64')],
    ['an unknown secret', Buffer.from('{"id":"a","secret":"b"}').toString('base64')],
  ] as const) {
    it(`is refused when the secret is ${what}`, async () => {
      expect(await refusalOf(withSession(sandbox, secret).account.get())).to.equal(
        '401 general_unauthorized_scope',
      );
    });
  }

  it('does not exist for a guest or a key', async () => {
    expect(await refusalOf(asGuest(sandbox).account.get())).to.equal('401 general_unauthorized_scope');
    expect(await refusalOf(withKey(sandbox).account.get())).to.equal('401 general_unauthorized_scope');
  });
});

import { expect } from 'chai';
import { accountAnswer, LINK_SECRET, sessionAnswer } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';

const EXCHANGE = 'POST /account/sessions/token';
const ANOTHER_SECRET = 'e'.repeat(64);

describe('The event of a link', () => {
  let auth: TestAuth;
  let cookies: MemoryCookies;

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
  });
  afterEach(() => auth.server.stop());

  /** Requests a link and returns its state. */
  async function stateFor(email = 'ada@example.org'): Promise<string> {
    await auth.service.signupWithEmail(email);
    return auth.lastState();
  }

  const use = (secret = LINK_SECRET, st?: string, jar = cookies) =>
    auth.service.login('ada', secret, jar, { st });
  const check = (secret = LINK_SECRET, st?: string) => auth.service.checkLink('ada', secret, cookies, { st });
  const pseudonym = () => auth.service.pseudonymOf('ada');

  /** Returns what the attempt writes to the audit log, after it has failed. */
  async function eventsOf(attempt: () => Promise<unknown>): Promise<unknown[]> {
    const before = auth.events.length;
    expect(await rejection(attempt())).to.have.property('code', 'sign_in_failed');
    return auth.events.slice(before).map(({ type, actor, reason }) => [type, actor, reason]);
  }

  it('LOG-04: tells that it was used, and by whom', async () => {
    await use();

    expect(auth.events.map(({ type, actor, reason }) => [type, actor, reason])).to.deep.equal([
      ['session.created', pseudonym(), undefined],
      ['link.used', pseudonym(), undefined],
    ]);
  });

  it('LOG-04: tells that it was used before, when it is opened or used again', async () => {
    await use();

    for (const attempt of [() => use(), () => check()]) {
      expect(await eventsOf(attempt)).to.deep.equal([['link.failed', pseudonym(), 'used']]);
    }
  });

  it('LOGIN-06, LOG-04: tells that it has expired', async () => {
    const st = await stateFor();
    auth.now = new Date(auth.now.getTime() + 600_001);

    for (const attempt of [() => use(LINK_SECRET, st), () => check(LINK_SECRET, st)]) {
      expect(await eventsOf(attempt)).to.deep.equal([['link.failed', pseudonym(), 'expired']]);
    }
  });

  it('LOGIN-07, LOG-04: tells that a later sign-in ended it, even in the same millisecond', async () => {
    const [first, second] = [await stateFor(), await stateFor()];
    await use(LINK_SECRET, second, new MemoryCookies());

    for (const attempt of [() => use(ANOTHER_SECRET, first), () => check(ANOTHER_SECRET, first)]) {
      expect(await eventsOf(attempt)).to.deep.equal([['link.failed', pseudonym(), 'superseded']]);
    }
  });

  it('LOG-04: tells that its state is missing or was altered, and names nobody', async () => {
    const st = await stateFor();

    for (const other of [`${st}x`, '', 7, [st]]) {
      expect(await eventsOf(() => use(LINK_SECRET, other as string))).to.deep.equal([
        ['link.failed', undefined, 'altered'],
      ]);
    }
    await auth.server.stop();
    auth = await startAuth({ signedLinksOnly: true });
    expect(await eventsOf(() => use())).to.deep.equal([['link.failed', undefined, 'unsigned']]);
  });

  it('LOG-04: tells that its state belongs to another address', async () => {
    const st = await stateFor('eve@example.org');

    expect(await eventsOf(() => use(LINK_SECRET, st))).to.deep.equal([
      ['link.failed', pseudonym(), 'foreign-state'],
    ]);
  });

  it('LOG-04: tells that the state of a link for another account belongs to another address', async () => {
    await auth.service.login('bob', ANOTHER_SECRET, cookies);
    const st = await stateFor('eve@example.org');

    expect(await eventsOf(() => check(LINK_SECRET, st))).to.deep.equal([
      ['link.failed', pseudonym(), 'foreign-state'],
    ]);
  });

  it('LOG-04: tells that the identity backend refused it, once, and keeps the cause', async () => {
    auth.server.once(EXCHANGE, appwriteError(401, 'user_invalid_token'));
    let cause: unknown;

    const written = await eventsOf(async () => {
      const error = await rejection(use());
      cause = error.cause;
      throw error;
    });

    expect(written).to.deep.equal([['link.failed', pseudonym(), 'refused']]);
    expect(cause).to.have.property('type', 'user_invalid_token');
  });

  it('MAIL-08, LOG-04: tells that its domain is not allowed', async () => {
    auth.server.once('GET /account', { status: 200, json: accountAnswer('ada', 'ada@removed.org') });

    expect(await eventsOf(() => use())).to.deep.equal([['link.failed', pseudonym(), 'domain']]);
  });

  it('LOG-04: tells that the account, its session and its link do not belong together', async () => {
    const disabled = accountAnswer('ada', 'ada@example.org', { status: false });
    for (const [sessionOf, account] of [
      ['ada', disabled],
      ['ada', accountAnswer('eve')],
      ['eve', accountAnswer('ada')],
      ['eve', accountAnswer('eve')],
    ] as const) {
      auth.server.once(EXCHANGE, { status: 201, json: sessionAnswer(sessionOf, 's9') });
      auth.server.once('GET /account', { status: 200, json: account });
      const secret = auth.events.length.toString().padStart(64, 'a');

      expect(await eventsOf(() => use(secret))).to.deep.equal([
        ['link.failed', pseudonym(), 'not-the-person'],
      ]);
    }
    expect(cookies.values.size).to.equal(0);
  });

  it('is not written if another account is signed in, which leaves the link valid', async () => {
    await auth.service.login('bob', ANOTHER_SECRET, cookies);
    const before = auth.events.length;

    expect(await rejection(use())).to.have.property('code', 'other_account_signed_in');
    expect(auth.events.length).to.equal(before);
    expect((await auth.service.login('ada', LINK_SECRET, cookies, { isConfirmed: true })).id).to.equal('ada');
  });
});

import { expect } from 'chai';
import { maskedAddress } from '../../../../src/services/auth/address/canonical-address.js';
import { Email } from '../../../../src/domain/identifiers/email.js';
import { LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { startAuth, type TestAuth } from '../../../support/start-auth.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const EXCHANGE = 'POST /account/sessions/token';
const USERS = 'GET /users/*';
const SESSION = '__Host-crf_session';

describe('A link of another account than the one signed in', () => {
  let auth: TestAuth;
  /** The cookies of Ada. */
  let cookies: MemoryCookies;

  beforeEach(async () => {
    auth = await startAuth();
    cookies = new MemoryCookies();
    await auth.service.login('ada', 'a'.repeat(64), cookies);
  });
  afterEach(() => auth.server.stop());

  async function stateOf(email: string): Promise<string> {
    await auth.service.signupWithEmail(email);
    auth.now = new Date(auth.now.getTime() + 1_000);
    return auth.lastState();
  }

  const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
    ((await rejection(promise)) as { code?: unknown }).code;

  it('LOGIN-11: is not used before the person confirms it, and changes nothing', async () => {
    const before = cookies.get(SESSION);
    const exchanges = auth.server.requestsTo(EXCHANGE).length;

    expect(await codeOf(auth.service.login('eve', LINK_SECRET, cookies))).to.equal('other_account_signed_in');

    expect(cookies.get(SESSION)).to.equal(before);
    expect(auth.server.requestsTo(EXCHANGE)).to.have.length(exchanges);
    expect(await auth.service.currentUser(cookies)).to.have.property('id', 'ada');
  });

  it('LOGIN-11: signs in only the other person once confirmed', async () => {
    const replay = new MemoryCookies();
    replay.values.set(SESSION, cookies.get(SESSION) ?? '');
    await rejection(auth.service.login('eve', LINK_SECRET, cookies));

    await auth.service.login('eve', LINK_SECRET, cookies, { isConfirmed: true });

    expect(await auth.service.currentUser(cookies)).to.have.property('id', 'eve');
    expect(await auth.service.currentUser(replay)).to.equal(null);
    expect(auth.server.requestsTo('DELETE /users/*/sessions/*')).to.have.length(1);
  });

  it('LOGIN-11: needs no confirmation for the same account, or if no one is signed in', async () => {
    await auth.service.login('ada', LINK_SECRET, cookies);
    const check = await auth.service.checkLink('eve', LINK_SECRET, new MemoryCookies());

    expect(check).to.deep.equal({ isBound: false, isConfirmNeeded: false });
    await auth.service.logout(undefined, cookies);
    expect(await auth.service.login('eve', LINK_SECRET, cookies)).to.have.property('id', 'eve');
  });

  it('LOGIN-11: shows its account in masked form before it is used', async () => {
    const st = await stateOf('eve@example.org');

    expect(await auth.service.checkLink('eve', LINK_SECRET, cookies, { st })).to.deep.equal({
      isBound: false,
      isConfirmNeeded: true,
      accountSwitch: { account: 'e•••@example.org' },
    });
  });

  it('LOGIN-11: shows no account if the link does not carry one, and looks none up', async () => {
    const { isConfirmNeeded, accountSwitch } = await auth.service.checkLink('eve', LINK_SECRET, cookies);

    expect([isConfirmNeeded, accountSwitch]).to.deep.equal([true, {}]);
    expect(auth.server.requestsTo(USERS)).to.deep.equal([]);
  });

  it('LOGIN-08, LOGIN-11: reveals no account to someone who guesses user ids', async () => {
    const st = await stateOf('mallory@example.org');
    const known = await codeOf(auth.service.checkLink('eve', LINK_SECRET, cookies, { st }));
    auth.server.on(USERS, appwriteError(404, 'user_not_found'));
    const unknown = await codeOf(auth.service.checkLink('nobody', LINK_SECRET, cookies, { st }));

    expect([known, unknown]).to.deep.equal(['sign_in_failed', 'sign_in_failed']);
  });

  it('LOGIN-09, LOGIN-11: stays valid during an outage, and leaves the session unchanged', async () => {
    const st = await stateOf('eve@example.org');
    auth.server.once(USERS, appwriteError(500, 'general_server_error'));

    expect(await codeOf(auth.service.checkLink('eve', LINK_SECRET, cookies, { st }))).to.equal(
      'identity_unavailable',
    );
    expect(await auth.service.currentUser(cookies)).to.have.property('id', 'ada');
    expect(await auth.service.login('eve', LINK_SECRET, cookies, { st, isConfirmed: true })).to.have.property(
      'id',
      'eve',
    );
  });
});

describe('maskedAddress', () => {
  for (const [address, expected] of [
    ['eve@example.org', 'e•••@example.org'],
    ['ada.lovelace+study@sub.example.org', 'a•••@sub.example.org'],
    ['al@example.org', '•••@example.org'],
    ['a@example.org', '•••@example.org'],
  ] as const) {
    it(`LOGIN-11: shows ${address} as ${expected}`, () => {
      expect(maskedAddress(Email(address))).to.equal(expected);
    });
  }
});

import { expect } from 'chai';
import { Query } from 'node-appwrite';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { refusalOf, signIn, withKey, withSession, type Caller } from './clients.js';

describe('The users of the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  let users: Caller['users'];

  beforeEach(async () => {
    sandbox = await startAppwriteSandbox();
    ({ users } = withKey(sandbox));
  });
  afterEach(() => sandbox.close());

  const create = (userId: string, email = `${userId}@example.org`) => users.create({ userId, email });
  const idsOf = async (queries?: string[]): Promise<string[]> =>
    (await users.list({ ...(queries && { queries }) })).users.map(({ $id }) => $id);

  it('are created with a lowercase address, and a given or generated id', async () => {
    expect(await create('ada', 'Ada@Example.org')).to.include({
      $id: 'ada',
      email: 'ada@example.org',
      status: true,
    });
    expect((await create('unique()', 'eve@example.org')).$id).to.match(/^[0-9a-f]{20}$/);
    expect(await users.get({ userId: 'ada' })).to.include({
      emailVerification: false,
      password: '',
      hash: 'argon2',
    });
  });

  it('are not created twice, by id or address, or with an invalid id or address', async () => {
    await create('ada');

    expect(await refusalOf(create('ada', 'other@example.org'))).to.equal('409 user_already_exists');
    expect(await refusalOf(create('other', 'ADA@example.org'))).to.equal('409 user_already_exists');
    expect(await refusalOf(create('a b', 'new@example.org'))).to.equal('400 general_argument_invalid');
    expect(await refusalOf(create('new', 'nonsense'))).to.equal('400 general_argument_invalid');
  });

  it('are found by equality queries, 25 per page by default', async () => {
    for (let number = 1; number <= 30; number += 1) await create(`user${number}`);
    await signIn(sandbox, 'user7@example.org');

    expect(await idsOf()).to.have.length(25);
    expect((await users.list({ queries: [Query.limit(1)] })).total).to.equal(30);
    expect(await idsOf([Query.limit(2), Query.offset(4)])).to.deep.equal(['user5', 'user6']);
    expect(await idsOf([Query.limit(1), Query.equal('email', ['user9@example.org'])])).to.deep.equal([
      'user9',
    ]);
    expect(await idsOf([Query.equal('$id', ['user3', 'user4', 'none'])])).to.deep.equal(['user3', 'user4']);
    expect(await idsOf([Query.equal('emailVerification', true)])).to.deep.equal(['user7']);
    expect(await idsOf([Query.equal('status', false)])).to.deep.equal([]);
    expect(
      await idsOf([Query.equal('$id', 'user3'), Query.equal('email', 'user4@example.org')]),
    ).to.deep.equal([]);
  });

  for (const query of [
    Query.orderAsc('email'),
    Query.equal('prefs', 'x'),
    Query.limit(-1),
    '{"method":"limit","values":["two"]}',
    '{"method":"limit"}',
    'null',
    'email=ada',
  ]) {
    it(`are not found by an unsupported query: ${query}`, async () => {
      expect(await refusalOf(users.list({ queries: [query] }))).to.equal('400 general_query_invalid');
    });
  }

  it('lose everything when deleted, and free the id and the address', async () => {
    const { userId, secret } = await signIn(sandbox, 'ada@example.org');
    const link = await withKey(sandbox).account.createMagicURLToken({ userId, email: 'ada@example.org' });
    await users.delete({ userId });

    expect(await refusalOf(users.get({ userId }))).to.equal('404 user_not_found');
    expect(await refusalOf(withSession(sandbox, secret).account.get())).to.equal(
      '401 general_unauthorized_scope',
    );
    expect(await refusalOf(withKey(sandbox).account.createSession({ userId, secret: link.secret }))).to.equal(
      '401 user_invalid_token',
    );
    expect((await create(userId, 'ada@example.org')).$id).to.equal(userId);
  });

  it('cannot use a session while blocked, but can still sign in', async () => {
    const { userId, secret } = await signIn(sandbox, 'ada@example.org');
    expect(await users.updateStatus({ userId, status: false })).to.include({ $id: userId, status: false });

    expect(await refusalOf(withSession(sandbox, secret).account.get())).to.equal('403 user_blocked');
    const again = await signIn(sandbox, 'ada@example.org');
    expect(await refusalOf(withSession(sandbox, again.secret).account.get())).to.equal('403 user_blocked');
    expect(await idsOf([Query.equal('status', false)])).to.deep.equal([userId]);
    await users.updateStatus({ userId, status: true });
    expect((await withSession(sandbox, secret).account.get()).$id).to.equal(userId);
    expect(await refusalOf(users.updateStatus({ userId, status: 'yes' as unknown as boolean }))).to.equal(
      '400 general_argument_invalid',
    );
  });

  it('have sessions, listed with hashes that cannot be used', async () => {
    const { userId, sessionId } = await signIn(sandbox, 'ada@example.org');
    const { total, sessions } = await users.listSessions({ userId });

    expect(total).to.equal(1);
    expect(sessions[0]).to.include({ $id: sessionId, current: false });
    const shown = sessions[0]?.secret ?? '';
    expect(shown).to.match(/^[0-9a-f]{64}$/);
    const forged = Buffer.from(JSON.stringify({ id: userId, secret: shown })).toString('base64');
    expect(await refusalOf(withSession(sandbox, forged).account.get())).to.equal(
      '401 general_unauthorized_scope',
    );
  });

  it('can be given a session with a key, without a mail', async () => {
    await create('ada');
    const session = await users.createSession({ userId: 'ada' });

    expect(session.provider).to.equal('server');
    expect((await withSession(sandbox, session.secret).account.get()).$id).to.equal('ada');
    expect(sandbox.mails).to.deep.equal([]);
  });

  it('lose one session or all of them, by id', async () => {
    const [one, two] = [await signIn(sandbox, 'ada@example.org'), await signIn(sandbox, 'ada@example.org')];
    const eve = await signIn(sandbox, 'eve@example.org');
    const { userId } = one;

    expect(await refusalOf(users.deleteSession({ userId, sessionId: eve.sessionId }))).to.equal(
      '404 user_session_not_found',
    );
    await users.deleteSession({ userId, sessionId: one.sessionId });
    expect((await users.listSessions({ userId })).sessions.map(({ $id }) => $id)).to.deep.equal([
      two.sessionId,
    ]);
    await users.deleteSessions({ userId });
    expect((await users.listSessions({ userId })).total).to.equal(0);
    expect((await users.listSessions({ userId: eve.userId })).total).to.equal(1);
  });

  it('are reported as not found by every route for an unknown id', async () => {
    const userId = 'nobody';

    for (const call of [
      () => users.get({ userId }),
      () => users.delete({ userId }),
      () => users.updateStatus({ userId, status: true }),
      () => users.listSessions({ userId }),
      () => users.createSession({ userId }),
      () => users.deleteSessions({ userId }),
      () => users.deleteSession({ userId, sessionId: 'x' }),
    ]) {
      expect(await refusalOf(call())).to.equal('404 user_not_found');
    }
  });
});

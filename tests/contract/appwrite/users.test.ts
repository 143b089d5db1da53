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

  const addPeople = (count: number): void => {
    for (let number = 1; number <= count; number += 1)
      sandbox.store.addUser(`user${number}`, `user${number}@example.org`);
  };

  it('have no password and, before a link is used, no verified address', async () => {
    addPeople(1);

    expect(await users.get({ userId: 'user1' })).to.include({
      $id: 'user1',
      email: 'user1@example.org',
      status: true,
      emailVerification: false,
      password: '',
      hash: 'argon2',
    });
  });

  it('are listed up to a limit, 25 by default', async () => {
    addPeople(30);

    expect((await users.list()).users).to.have.length(25);
    const { total, users: shown } = await users.list({ queries: [Query.limit(2)] });
    expect([total, shown.map(({ $id }) => $id)]).to.deep.equal([30, ['user1', 'user2']]);
    expect(await users.list({ queries: [Query.limit(1)], total: false })).to.include({ total: 0 });
  });

  for (const query of [
    Query.orderAsc('email'),
    Query.equal('email', 'ada@example.org'),
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
    const again = await withKey(sandbox).account.createMagicURLToken({ userId, email: 'eve@example.org' });
    expect(again.userId).to.equal(userId);
  });

  it('cannot use a session while blocked, but can still sign in', async () => {
    const { userId, secret } = await signIn(sandbox, 'ada@example.org');
    expect(await users.updateStatus({ userId, status: false })).to.include({ $id: userId, status: false });

    expect(await refusalOf(withSession(sandbox, secret).account.get())).to.equal('403 user_blocked');
    const again = await signIn(sandbox, 'ada@example.org');
    expect(await refusalOf(withSession(sandbox, again.secret).account.get())).to.equal('403 user_blocked');
    await users.updateStatus({ userId, status: true });
    expect((await withSession(sandbox, secret).account.get()).$id).to.equal(userId);
    expect(await refusalOf(users.updateStatus({ userId, status: 'yes' as unknown as boolean }))).to.equal(
      '400 general_argument_invalid',
    );
  });

  it('lose one session or all of them, by id', async () => {
    const [one, two] = [await signIn(sandbox, 'ada@example.org'), await signIn(sandbox, 'ada@example.org')];
    const eve = await signIn(sandbox, 'eve@example.org');
    const { userId } = one;

    expect(await refusalOf(users.deleteSession({ userId, sessionId: eve.sessionId }))).to.equal(
      '404 user_session_not_found',
    );
    await users.deleteSession({ userId, sessionId: one.sessionId });
    const sessionsOf = (person: string) => sandbox.store.sessionsOf(person).map(({ id }) => id);
    expect(sessionsOf(userId)).to.deep.equal([two.sessionId]);
    await users.deleteSessions({ userId });
    expect(sessionsOf(userId)).to.deep.equal([]);
    expect(sessionsOf(eve.userId)).to.deep.equal([eve.sessionId]);
  });

  it('are reported as not found by every route for an unknown id', async () => {
    const userId = 'nobody';

    for (const call of [
      () => users.get({ userId }),
      () => users.delete({ userId }),
      () => users.updateStatus({ userId, status: true }),
      () => users.deleteSessions({ userId }),
      () => users.deleteSession({ userId, sessionId: 'x' }),
    ]) {
      expect(await refusalOf(call())).to.equal('404 user_not_found');
    }
  });
});

import { expect } from 'chai';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { refusalOf, signIn, withSession } from './clients.js';

describe('The account of a person, in the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  let ada: { userId: string; sessionId: string; secret: string };
  let eve: { userId: string; sessionId: string; secret: string };

  beforeEach(async () => {
    sandbox = await startAppwriteSandbox();
    [ada, eve] = [await signIn(sandbox, 'ada@example.org'), await signIn(sandbox, 'eve@example.org')];
  });
  afterEach(() => sandbox.close());

  const account = (secret = ada.secret) => withSession(sandbox, secret).account;

  it('is returned in full, without a password', async () => {
    const { $createdAt, $updatedAt, registration, accessedAt, ...rest } = await account().get();

    for (const date of [$createdAt, $updatedAt, registration, accessedAt]) {
      expect(date).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    }
    expect({ ...rest }).to.deep.equal({
      $id: ada.userId,
      name: '',
      status: true,
      labels: [],
      passwordUpdate: '',
      email: 'ada@example.org',
      phone: '',
      emailVerification: true,
      phoneVerification: false,
      mfa: false,
      prefs: {},
      targets: [],
    });
  });

  it('lists its sessions, marks the current one, and shows no secret', async () => {
    const other = await signIn(sandbox, 'ada@example.org');
    const { total, sessions } = await account().listSessions();

    expect(total).to.equal(2);
    expect(sessions.map(({ $id, current, secret }) => [$id, current, secret])).to.deep.equal([
      [ada.sessionId, true, ''],
      [other.sessionId, false, ''],
    ]);
  });

  it('returns one session by its id or as `current`, but none of another person', async () => {
    expect((await account().getSession({ sessionId: 'current' })).$id).to.equal(ada.sessionId);
    expect(await account().getSession({ sessionId: ada.sessionId })).to.include({
      secret: '',
      current: true,
    });
    for (const sessionId of [eve.sessionId, 'nothing']) {
      expect(await refusalOf(account().getSession({ sessionId }))).to.equal('404 user_session_not_found');
      expect(await refusalOf(account().deleteSession({ sessionId }))).to.equal('404 user_session_not_found');
      expect(await refusalOf(account().updateSession({ sessionId }))).to.equal('404 user_session_not_found');
    }
    expect((await account(eve.secret).get()).$id).to.equal(eve.userId);
  });

  it('ends one session, after which no one is signed in', async () => {
    await account().deleteSession({ sessionId: 'current' });

    expect(await refusalOf(account().get())).to.equal('401 general_unauthorized_scope');
    expect(await refusalOf(account().deleteSession({ sessionId: 'current' }))).to.equal(
      '401 general_unauthorized_scope',
    );
  });

  it('ends another of its sessions by id, and stays signed in', async () => {
    const other = await signIn(sandbox, 'ada@example.org');
    await account().deleteSession({ sessionId: other.sessionId });

    expect(await refusalOf(account(other.secret).get())).to.equal('401 general_unauthorized_scope');
    expect((await account().listSessions()).total).to.equal(1);
  });

  it('ends all of its sessions at once, but none of another person', async () => {
    const other = await signIn(sandbox, 'ada@example.org');
    await account().deleteSessions();

    for (const secret of [ada.secret, other.secret]) {
      expect(await refusalOf(account(secret).get())).to.equal('401 general_unauthorized_scope');
    }
    expect((await account(eve.secret).get()).$id).to.equal(eve.userId);
  });
});

import { expect } from 'chai';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { signIn, withSession } from './clients.js';

describe('The account of a person, in the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  let ada: { userId: string; sessionId: string; secret: string };

  beforeEach(async () => {
    sandbox = await startAppwriteSandbox();
    ada = await signIn(sandbox, 'ada@example.org');
    await signIn(sandbox, 'eve@example.org');
  });
  afterEach(() => sandbox.close());

  const account = () => withSession(sandbox, ada.secret).account;

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
});

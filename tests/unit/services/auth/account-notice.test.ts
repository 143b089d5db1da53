import { expect } from 'chai';
import type { DeletedAccount } from '../../../../src/services/auth/auth-settings.js';
import { LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { printed } from '../../../support/printed.js';
import { startAuth } from '../../../support/start-auth.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

describe('The notice of a deleted account', () => {
  async function deleting(onAccountDeleted: (account: DeletedAccount) => Promise<void>) {
    const auth = await startAuth({ onAccountDeleted });
    const cookies = new MemoryCookies();
    await auth.service.login('ada', LINK_SECRET, cookies);
    return { auth, cookies };
  }

  it('ACCT-05: is passed to the host application with the address', async () => {
    const notices: DeletedAccount[] = [];
    const { auth, cookies } = await deleting(async (account) => void notices.push(account));

    await auth.service.deleteAccount('ada', cookies);

    expect(notices).to.deep.equal([
      { userId: 'ada', email: 'ada@example.org', deletedAt: auth.now.toISOString() },
    ]);
    await auth.server.stop();
  });

  it('ACCT-02, ACCT-05: is sent once, after an interrupted deletion is completed', async () => {
    const notices: DeletedAccount[] = [];
    const { auth, cookies } = await deleting(async (account) => void notices.push(account));
    auth.server.once('DELETE /users/*', appwriteError(500, 'general_server_error'));

    await rejection(auth.service.deleteAccount('ada', cookies));
    expect(notices).to.deep.equal([]);
    await auth.service.deleteAccount('ada', cookies);

    expect(notices.map(({ email }) => email)).to.deep.equal(['ada@example.org']);
    await auth.server.stop();
  });

  it('ACCT-05: does not fail the deletion when it fails, and causes an event without the address', async () => {
    const { auth, cookies } = await deleting(() => Promise.reject(new Error('no mail server')));

    await auth.service.deleteAccount('ada', cookies);
    await new Promise(setImmediate);

    expect(auth.events.at(-1)?.type).to.equal('account.notice-failed');
    expect(printed(auth.events)).to.not.include('ada@example.org');
    await auth.server.stop();
  });
});

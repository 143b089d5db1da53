import { expect } from 'chai';
import type { DeletedAccount } from '../../../../src/services/auth/auth-settings.js';
import { LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { playIdentity } from '../../../support/play-identity.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

describe('The notice that an account was deleted', () => {
  async function deleting(onAccountDeleted: (account: DeletedAccount) => Promise<void>) {
    const played = await playIdentity({ onAccountDeleted });
    const cookies = new MemoryCookies();
    await played.auth.login('ada', LINK_SECRET, cookies);
    return { played, cookies };
  }

  it('ACCT-05: is for the host application to send, with the address', async () => {
    const notices: DeletedAccount[] = [];
    const { played, cookies } = await deleting(async (account) => void notices.push(account));

    await played.auth.deleteAccount('ada', cookies);

    expect(notices).to.deep.equal([
      { userId: 'ada', email: 'ada@example.org', deletedAt: played.now.toISOString() },
    ]);
    await played.server.stop();
  });

  it('ACCT-02, ACCT-05: is sent once, when a deletion that broke off is finished', async () => {
    const notices: DeletedAccount[] = [];
    const { played, cookies } = await deleting(async (account) => void notices.push(account));
    played.server.once('DELETE /users/*', appwriteError(500, 'general_server_error'));

    await rejection(played.auth.deleteAccount('ada', cookies));
    expect(notices).to.deep.equal([]);
    await played.auth.deleteAccount('ada', cookies);

    expect(notices.map(({ email }) => email)).to.deep.equal(['ada@example.org']);
    await played.server.stop();
  });

  it('ACCT-05: that fails does not fail the deletion, and is an event without the address', async () => {
    const { played, cookies } = await deleting(() => Promise.reject(new Error('no mail server')));

    await played.auth.deleteAccount('ada', cookies);
    await new Promise(setImmediate);

    expect(played.events.at(-1)?.type).to.equal('account.notice-failed');
    expect(JSON.stringify(played.events)).to.not.include('ada@example.org');
    await played.server.stop();
  });
});

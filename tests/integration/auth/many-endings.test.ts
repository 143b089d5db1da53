import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

/** More than Appwrite allows one address in an hour. @see docs/protocol/appwrite.md 5.1 */
const TOO_MANY = 110;

describe('A person who ends many sessions', () => {
  let service: RunningServer;
  before(async () => {
    service = await startWholeService({ ALLOW_ANONYMOUS: 'false' });
  });
  after(() => service.stop());

  async function signedIn(email: string): Promise<SignInClient> {
    const browser = new SignInClient(service.url);
    await browser.signIn(email);
    return browser;
  }

  const end = (browser: SignInClient, id: string) =>
    browser.status(`/api/v1/auth/sessions/${id}`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    });

  it('SESS-08: does not keep others from ending theirs', async () => {
    const eve = await signedIn('eve@example.org');
    const statuses = new Set<number>();
    for (let tries = 0; tries < TOO_MANY; tries += 1) statuses.add(await end(eve, `unknown${tries}`));
    expect([...statuses]).to.deep.equal([404]);

    const [laptop, phone] = [await signedIn('ada@example.org'), await signedIn('ada@example.org')];
    const { data } = (await (await laptop.send('/api/v1/auth/sessions')).json()) as {
      data: { id: string; isCurrent: boolean }[];
    };
    const other = data.find(({ isCurrent }) => !isCurrent)?.id ?? '';

    expect(await end(eve, other), 'the session of another person').to.equal(404);
    expect(await phone.status('/api/v1/auth/me')).to.equal(200);
    expect(await end(laptop, other)).to.equal(200);
    expect(await phone.status('/api/v1/auth/me')).to.equal(401);
    expect(await laptop.status('/api/v1/auth/me')).to.equal(200);
  });
});

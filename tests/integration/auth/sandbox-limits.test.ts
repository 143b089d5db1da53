import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

const ADA = 'ada.lovelace@example.org';

describe('The limits of the sign-in', () => {
  describe('on the sandbox', () => {
    let service: RunningServer;
    before(async () => {
      service = await startWholeService({ ALLOW_ANONYMOUS: 'false' });
    });
    after(() => service.stop());

    it('allow a person several links a minute, and the use of the last', async () => {
      const browser = new SignInClient(service.url);
      const asked = await Promise.all(
        Array.from({ length: 8 }, () => browser.post('/api/v1/auth/signup', { email: ADA })),
      );

      expect(new Set(asked.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect((await browser.send(await browser.link(ADA))).status).to.equal(302);
    });

    it('allow a new link to sign in after twenty failed ones', async () => {
      const browser = new SignInClient(service.url);
      for (let times = 0; times < 20; times += 1)
        expect((await browser.send(`/login?userId=ada&secret=${times}`)).status).to.equal(401);

      expect((await browser.send(await browser.link(ADA))).status).to.equal(302);
    });
  });

  it('RATE-03: cannot be evaded by claiming an address', async () => {
    const running = await startServiceWithAuth();
    try {
      const statuses: number[] = [];
      for (let index = 0; index < 6; index += 1) {
        const email = `p${index}@example.org`;
        const headers = { 'x-forwarded-for': `192.0.2.${index}` };
        statuses.push((await running.browser().post('/api/v1/auth/signup', { email }, headers)).status);
      }

      expect(statuses.at(-1)).to.equal(429);
    } finally {
      await running.close();
    }
  });

  it('are explained on a page with the time to try again', async () => {
    const running = await startServiceWithAuth();
    try {
      const link = '/login?userId=ada&secret=a%20b';
      for (let times = 0; times < 10; times += 1) await running.browser().send(link);

      const answer = await running.browser().send(link, { headers: { accept: 'text/html' } });

      expect(answer.status).to.equal(429);
      expect(answer.headers.get('content-type')).to.include('text/html');
      expect(await answer.text()).to.match(/Try again in 15 minutes\./);
    } finally {
      await running.close();
    }
  });
});

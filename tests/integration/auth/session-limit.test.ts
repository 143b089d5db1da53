import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startAppwriteSandbox } from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { createAuthService } from '../../../src/services/auth/create-auth-service.js';
import { MemoryCookies } from '../../support/memory-cookies.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0';

describe('Many sessions of one person', () => {
  it('SESS-09: silently end the oldest one at the eleventh sign-in, and no other', async () => {
    const appwrite = await startAppwriteSandbox();
    let now = Date.now();
    const auth = createAuthService({
      appwrite: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
      clock: () => new Date((now += 1)), // No two actions happen in the same millisecond.
      loginUrl: 'http://localhost/login',
      domainValidation: { allowedDomainsRegexp: 'example\\.org' },
      signupFloorMs: 0,
      sessionCheckSeconds: 0,
    });
    const jars: MemoryCookies[] = [];
    for (let sessions = 0; sessions < 11; sessions += 1) {
      const jar = new MemoryCookies();
      await auth.signupWithEmail('ada@example.org');
      while (appwrite.mails.length <= sessions) await new Promise(setImmediate);
      const { searchParams } = new URL(appwrite.mails.at(-1)?.link ?? '');
      const [userId = '', secret = '', st] = ['userId', 'secret', 'st'].map(
        (name) => searchParams.get(name) ?? '',
      );
      await auth.login(userId, secret, jar, { st });
      jars.push(jar);
    }

    const people = await Promise.all(jars.map((jar) => auth.currentUser(jar)));

    expect(people.map((person) => person !== null)).to.deep.equal([false, ...Array<boolean>(10).fill(true)]);
    expect(await auth.listSessions(jars[10] ?? new MemoryCookies())).to.have.length(10);
    await appwrite.close();
  });

  it('SESS-09: name the browser of the person in the list and the mail, not this service', async () => {
    const service: RunningServer = await startWholeService({ ALLOW_ANONYMOUS: 'false' });
    const browser = new SignInClient(service.url);
    await browser.send('/login/send', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        'user-agent': EDGE,
      },
      body: 'email=ada%40example.org',
    });
    const json = { headers: { accept: 'application/json' } };
    const { data: mails } = (await (await browser.send('/sandbox/mailbox', json)).json()) as {
      data: { link: string; phrase: string; requestedWith: string }[];
    };
    const sent = await (await browser.send('/login/sent')).text();
    await browser.send(mails[0]?.link ?? '', { headers: { 'user-agent': EDGE } });
    const { data: sessions } = (await (await browser.send('/api/v1/auth/sessions')).json()) as {
      data: { device: string }[];
    };

    expect(mails[0]?.requestedWith).to.equal(EDGE);
    expect(sent).to.include(mails[0]?.phrase); // AUTH-08: on the page and in the mail.
    expect(sessions[0]?.device).to.match(/on Windows/);
    await service.stop();
  });
});

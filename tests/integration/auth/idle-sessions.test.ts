import { expect } from 'chai';
import { createServer } from 'node:http';
import { createHostApp } from '../../../examples/express-host.js';
import { createAuthService } from '../../../src/index.js';
import { sessionHandle } from '../../../src/sveltekit.js';
import { LINK_SECRET } from '../../support/identity-answers.js';
import { startAuth } from '../../support/start-auth.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { closeServer, listen } from '../../support/start-service.js';

const MINUTE = 60_000;
const SESSION = '__Host-crf_session';
const AFTER_SIGN_IN = 'crf_return_to';

describe('An idle session, over HTTP', () => {
  let running: ServiceWithAuth;
  let browser: SignInClient;

  beforeEach(async () => {
    running = await startServiceWithAuth();
    browser = await running.signedIn('ada');
  });
  afterEach(() => running.close());

  for (const path of ['/api/v1/auth/me', '/api/v1/project/version', '/dashboard']) {
    it(`SESS-02: is extended by ${path}, and refused 31 minutes after its last use`, async () => {
      for (let times = 0; times < 3; times += 1) {
        running.travel(29 * MINUTE);
        expect(await browser.status(path)).to.equal(200);
      }
      const late = new SignInClient(running.service.url);
      late.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '');

      running.travel(31 * MINUTE);
      const answer = await late.send(path);

      expect(answer.status).to.equal(path === '/dashboard' ? 303 : 401);
      // A page remembers where the person wanted to go, and nothing else.
      const cookies = answer.headers.getSetCookie().filter((line) => !line.startsWith(`${AFTER_SIGN_IN}=`));
      expect(cookies).to.deep.equal([]);
    });
  }

  it('SESS-02: is renewed with a cookie that has every attribute of the first (COOK-01)', async () => {
    running.travel(5 * MINUTE);

    const [line = '', ...others] = (await browser.send('/api/v1/auth/me')).headers.getSetCookie();

    expect(others).to.deep.equal([]);
    expect(line.replace(/=[^;]+/, '').replace(/Expires=[^;]+/, 'Expires')).to.equal(
      `${SESSION}; Max-Age=1800; Path=/; Expires; HttpOnly; Secure; SameSite=Lax`,
    );
  });
});

describe('The settings of sessions', () => {
  for (const [settings, seconds] of [
    [{}, 1800],
    [{ SESSION_IDLE_SECONDS: '900' }, 900],
    [{ SESSION_MAX_AGE_SECONDS: '600' }, 600],
  ] as const) {
    it(`SESS-02: give a session ${seconds} seconds with ${JSON.stringify(settings)}`, async () => {
      const service = await startWholeService(settings);
      const browser = new SignInClient(service.url);

      const answer = await browser.send(await browser.link('ada.lovelace@example.org'));

      expect(answer.headers.getSetCookie().find((line) => line.startsWith('crf_session='))).to.match(
        new RegExp(`Max-Age=(${seconds}|${seconds - 1});`),
      );
      await service.stop();
    });
  }
});

describe('An idle session in a host application', () => {
  it('SESS-02: is extended by the Express hooks, and refused after 31 minutes', async () => {
    const auth = await startAuth();
    const server = createServer(createHostApp(auth.config));
    const browser = new SignInClient(await listen(server));
    await browser.send(`/login?userId=ada&secret=${LINK_SECRET}`);

    const seen: number[] = [];
    for (const minutes of [29, 29, 31]) {
      auth.now = new Date(auth.now.getTime() + minutes * MINUTE);
      seen.push(await browser.status('/mine'));
    }

    expect(seen).to.deep.equal([200, 200, 401]);
    await closeServer(server);
    await auth.server.stop();
  });

  it('SESS-02: is extended by the cookies of SvelteKit too', async () => {
    const auth = await startAuth();
    const jar = new Map<string, string>();
    const cookies = {
      get: (name: string) => jar.get(name),
      set: (name: string, value: string) => void jar.set(name, value),
      delete: (name: string) => void jar.delete(name),
    };
    await auth.service.login('ada', LINK_SECRET, cookies);
    const handle = sessionHandle(createAuthService(auth.config));

    const seen: unknown[] = [];
    for (const minutes of [29, 29, 31]) {
      auth.now = new Date(auth.now.getTime() + minutes * MINUTE);
      const event = { cookies, url: new URL('http://localhost/'), locals: {} as { user?: unknown } };
      await handle({ event: event as never, resolve: () => undefined });
      seen.push((event.locals.user as { id: string } | null)?.id ?? null);
    }

    expect(seen).to.deep.equal(['ada', 'ada', null]);
    await auth.server.stop();
  });
});

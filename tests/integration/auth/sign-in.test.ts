import { expect } from 'chai';
import request from 'supertest';
import type { RunningServer } from '../../../src/server/start-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

const ADA = 'ada.lovelace@example.org';
const SESSION = 'crf_session';

describe('Signing in over HTTP', () => {
  let service: RunningServer;
  let browser: SignInClient;

  beforeEach(async () => {
    service = await startWholeService({ ALLOW_ANONYMOUS: 'false' });
    browser = new SignInClient(service.url);
  });
  afterEach(() => service.stop());

  it('LOGIN-01: does not use a link with HEAD', async () => {
    const link = await browser.link(ADA);

    for (let times = 0; times < 5; times += 1) {
      const head = await browser.send(link, { method: 'HEAD' });
      expect(head.headers.getSetCookie()).to.deep.equal([]);
    }

    expect((await browser.send(link)).status).to.equal(302);
  });

  for (const header of ['Sec-Purpose', 'Purpose', 'X-Moz']) {
    it(`LOGIN-02: does not use a link with ${header}: prefetch`, async () => {
      const link = await browser.link(ADA);

      const ahead = await browser.send(link, { headers: { [header]: 'prefetch;prerender' } });
      expect(ahead.headers.getSetCookie()).to.deep.equal([]);

      expect((await browser.send(link)).status).to.equal(302);
    });
  }

  it('LOGIN-05: makes one session of one link with 50 parallel uses', async () => {
    const link = await browser.link(ADA);

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => new SignInClient(service.url).send(link)),
    );
    const sessions = answers.filter((answer) =>
      answer.headers
        .getSetCookie()
        .some((line) => line.startsWith(`${SESSION}=`) && !/max-age=0/i.test(line)),
    );

    expect(sessions).to.have.length(1);
    expect(answers.filter(({ status }) => status === 302)).to.have.length(1);
  });

  it('LOGIN-08: answers used, malformed, unknown and wrong links the same, and repeats nothing', async () => {
    const link = await browser.link(ADA);
    const used = new URL(link);
    await browser.send(link);
    const bad = (changes: Record<string, string>): string => {
      const url = new URL(link);
      for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
      return url.toString();
    };
    const links = [
      used.toString(),
      bad({ secret: '<SENTINEL>' }),
      bad({ userId: 'SENTINEL-user' }),
      bad({ secret: 'f'.repeat(64) }),
      bad({ userId: '..' }),
      `${service.url}/login?userId=SENTINEL`,
    ];

    for (const accept of ['text/html', 'application/json']) {
      const seen = new Set<string>();
      for (const candidate of links) {
        const answer = await new SignInClient(service.url).send(candidate, { headers: { accept } });
        const text = (await answer.text()).replace(answer.headers.get('x-request-id') ?? '-', 'ID');
        expect(text).to.not.include('SENTINEL');
        seen.add(`${answer.status} ${text}`);
      }
      expect([...seen], accept).to.have.length(1);
      expect([...seen][0]).to.match(/^401 /);
    }
  });

  it('LOGIN-10: refuses repeated and huge parameters before any request', async () => {
    const link = await browser.link(ADA);

    expect(await browser.status(`${link}&secret=again`)).to.equal(400);
    expect(await browser.status('/login?userId[]=a&secret=b')).to.equal(400);
    expect(await browser.status(`/login?userId=a&secret=${'x'.repeat(12_000)}`)).to.equal(414);
    expect(await browser.status(link)).to.equal(302);
  });

  it('LOGIN-12: is not cached or indexed, sends no referrer, and redirects without the secret', async () => {
    const link = await browser.link(ADA);
    const answers = [
      await browser.send('/login', { headers: { accept: 'text/html' } }),
      await browser.send(link),
      await browser.send(link, { headers: { accept: 'text/html' } }),
    ];

    for (const { headers } of answers) {
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
    }
    expect(answers[1]?.headers.get('location')).to.equal('/dashboard');
  });

  it('COOK-03: clears the cookie at sign-out with the attributes it was set with', async () => {
    await browser.signIn(ADA);

    const answer = await browser.post('/api/v1/auth/logout');
    const cleared = answer.headers.getSetCookie().find((line) => line.startsWith(`${SESSION}=`)) ?? '';

    expect(cleared)
      .to.match(/Path=\//)
      .and.to.match(/HttpOnly/)
      .and.to.match(/SameSite=Lax/)
      .and.to.match(/Max-Age=0/);
    expect(answer.headers.get('clear-site-data')).to.equal('"cookies", "storage"');
    expect(browser.cookies.has(SESSION)).to.be.false;
  });

  it('SESS-01: never adopts a cookie that was planted before the sign-in', async () => {
    browser.cookies.set(SESSION, 'planted');
    await browser.signIn(ADA);
    const planted = new SignInClient(service.url);
    planted.cookies.set(SESSION, 'planted');

    expect(browser.cookies.get(SESSION)).to.not.equal('planted');
    expect(await planted.status('/api/v1/auth/me')).to.equal(401);
    expect(await browser.status('/api/v1/auth/me')).to.equal(200);
  });

  for (const path of ['/api/v1/auth/logout', '/dashboard/sign-out']) {
    const [succeeds, accept] = path.startsWith('/api') ? [200, 'application/json'] : [303, 'text/html'];

    it(`SESS-03: answers POST ${path} with 401 without a session cookie, and clears one that is over`, async () => {
      expect((await browser.post(path, undefined, { accept })).status).to.equal(401);
      await browser.signIn(ADA);
      const cookie = browser.cookies.get(SESSION) ?? '';
      expect((await browser.post(path, undefined, { accept })).status).to.equal(succeeds);

      for (const over of [cookie, 'rubbish']) {
        browser.cookies.set(SESSION, over);
        const answer = await browser.post(path, undefined, { accept });
        expect(answer.status).to.equal(succeeds);
        expect(answer.headers.get('clear-site-data')).to.equal('"cookies", "storage"');
        expect(browser.cookies.has(SESSION)).to.equal(false);
      }

      expect((await browser.post(path, undefined, { accept })).status).to.equal(401);
    });
  }

  it('SESS-03: refuses the cookie of an ended session, and lets it be ended twice', async () => {
    await browser.signIn(ADA);
    const replay = new SignInClient(service.url);
    replay.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '');

    expect((await browser.post('/api/v1/auth/logout')).status).to.equal(200);

    expect(await replay.status('/api/v1/auth/me')).to.equal(401);
    expect((await replay.post('/api/v1/auth/logout')).status).to.equal(200);
  });

  it("SESS-08: lists the sessions without secrets, and ends only the person's own", async () => {
    await browser.signIn(ADA);
    const other = new SignInClient(service.url);
    await other.signIn('alan.turing@example.org');
    const list = await (await browser.send('/api/v1/auth/sessions')).text();
    const { data } = JSON.parse(list) as { data: { id: string; isCurrent: boolean }[] };

    expect(data).to.have.length(1);
    expect(data[0]?.isCurrent).to.be.true;
    expect(list).to.not.include('secret');
    const end = (client: SignInClient) =>
      client.status(`/api/v1/auth/sessions/${data[0]?.id}`, {
        method: 'DELETE',
        headers: { 'sec-fetch-site': 'same-origin' },
      });
    expect(await end(other)).to.equal(404);
    expect(await browser.status('/api/v1/auth/me')).to.equal(200);
    expect(await end(browser)).to.equal(200);
    expect(await browser.status('/api/v1/auth/me')).to.equal(401);
  });

  it('grants a session project:read, and no records', async () => {
    await browser.signIn(ADA);

    expect(await browser.status('/api/v1/project/version')).to.equal(200);
    expect(await browser.status('/api/v1/records')).to.equal(403);
    expect((await browser.post('/api/v1/records', { records: [] })).status).to.equal(403);
  });

  it('uses the user id that the study has for the address', async () => {
    await browser.signIn(ADA);

    const { data } = (await (await browser.send('/api/v1/auth/me')).json()) as {
      data: { id: string; email: string };
    };

    expect(data).to.include({ id: 'ada.lovelace', email: ADA });
  });

  const own = () => new URL(service.url).origin;
  const origins: readonly [string, () => Record<string, string>, number][] = [
    ['Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site', origin: own() }), 403],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['Sec-Fetch-Site: none', () => ({ 'sec-fetch-site': 'none' }), 403],
    ['its own Origin', () => ({ origin: own() }), 200],
    ['its own Origin in capitals', () => ({ origin: own().toUpperCase() }), 200],
    ['an Origin that only begins like its own', () => ({ origin: `${own()}.evil.test` }), 403],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['https instead of http', () => ({ origin: own().replace('http:', 'https:') }), 403],
    ['Origin: null', () => ({ origin: 'null' }), 403],
    ['neither header', () => ({}), 403],
  ];
  for (const [description, headers, status] of origins) {
    it(`CSRF-01: answers a deletion with a cookie and ${description} with ${status}`, async () => {
      await browser.signIn(ADA);

      expect(await browser.status('/api/v1/auth/account', { method: 'DELETE', headers: headers() })).to.equal(
        status,
      );
    });
  }

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    it(`CSRF-02: refuses ${type} on a JSON route`, async () => {
      const answer = await browser.post('/api/v1/auth/signup', { email: ADA }, { 'content-type': type });

      expect(answer.status).to.equal(415);
    });
  }

  it('AUTH-07: sends no mail for a page of another site, but does for a program without a cookie', async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: ADA });
    const send = (headers: Record<string, string>) =>
      fetch(`${service.url}/api/v1/auth/signup`, { method: 'POST', headers: { ...json, ...headers }, body });

    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
    expect((await send({ origin: 'https://evil.example.org' })).status).to.equal(403);
    const mails = await (
      await browser.send('/sandbox/mailbox', { headers: { accept: 'application/json' } })
    ).json();
    expect(mails).to.deep.equal({ data: [] });
    expect((await send({})).status).to.equal(200);
  });

  it('AUTH-04: sends a link to the configured URL, whatever the request claims', async () => {
    await browser.post(
      '/api/v1/auth/signup',
      { email: ADA },
      {
        'x-forwarded-host': 'evil.example.org',
        forwarded: 'host=evil.example.org',
      },
    );

    expect(await browser.link(ADA)).to.satisfy((link: string) => link.startsWith(`${service.url}/login?`));
  });

  it('AUTH-01: reveals the secret of the link in no response of the service', async () => {
    const answer = await browser.post('/api/v1/auth/signup', { email: ADA });
    const seen = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
    const secret = new URL(await browser.link(ADA)).searchParams.get('secret') ?? '';

    expect(secret).to.have.length(64);
    expect(seen).to.not.include(secret);
    const used = await browser.send(await browser.link(ADA));
    expect(JSON.stringify([...used.headers])).to.not.include(secret);
  });
});

describe('LOGIN_CONFIRM', () => {
  for (const [mode, whoAsked, needsButton] of [
    ['never', 'a stranger', false],
    ['unbound', 'the browser that asked', false],
    ['unbound', 'a stranger', true],
    ['always', 'the browser that asked', true],
  ] as const) {
    it(`LOGIN-03, LOGIN-04: ${mode}, ${whoAsked}: ${needsButton ? 'requires a button' : 'signs in directly'}`, async () => {
      const service = await startWholeService({ LOGIN_CONFIRM: mode });
      try {
        const asking = new SignInClient(service.url);
        const link = await asking.link(ADA);
        const opening = whoAsked === 'a stranger' ? new SignInClient(service.url) : asking;

        const opened = await opening.send(link, { headers: { accept: 'text/html' } });
        expect(opened.status).to.equal(needsButton ? 200 : 302);
        expect(opening.cookies.has(SESSION)).to.equal(!needsButton);

        if (needsButton) {
          const fields = Object.fromEntries(
            [...(await opened.text()).matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name, value]) => [
              name,
              value,
            ]),
          ) as Record<string, string>;
          const confirmed = await opening.post('/login/confirm', new URLSearchParams(fields).toString(), {
            'content-type': 'application/x-www-form-urlencoded',
          });
          expect(confirmed.headers.get('location')).to.equal('/dashboard');
          expect(await opening.status('/api/v1/auth/me')).to.equal(200);
        }
      } finally {
        await service.stop();
      }
    });
  }

  describe('unbound', () => {
    let service: RunningServer;
    let asking: SignInClient;
    let link: string;
    beforeEach(async () => {
      service = await startWholeService({ LOGIN_CONFIRM: 'unbound' });
      asking = new SignInClient(service.url);
      link = await asking.link(ADA);
    });
    afterEach(() => service.stop());

    /** What a browser sends when a person follows a link in a page of web mail. */
    const CLICK = {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-fetch-user': '?1',
    };

    /** Opens the link with headers that `fetch` does not let a program set. */
    const open = (client: SignInClient, headers: Readonly<Record<string, string>> = {}) =>
      request(link)
        .get('')
        .redirects(0)
        .ok(() => true)
        .set({
          ...CLICK,
          cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        });
    const sessionIn = ({ headers }: { readonly headers: object }): string | undefined =>
      /crf_session=[^;]+/.exec(String(Reflect.get(headers, 'set-cookie') ?? ''))?.[0];

    it('LOGIN-04: signs in the browser that asked with one click, and leads it to the dashboard', async () => {
      const opened = await open(asking);

      expect([opened.status, opened.headers['location']]).to.deep.equal([302, '/dashboard']);
      const me = await fetch(`${service.url}/api/v1/auth/me`, {
        headers: { cookie: sessionIn(opened) ?? '' },
      });
      expect(me.status).to.equal(200);
    });

    it('LOGIN-04: signs in nobody if a page loads the link in a frame or an image of that browser', async () => {
      for (const [dest, mode] of [
        ['iframe', 'navigate'],
        ['image', 'no-cors'],
        ['empty', 'cors'],
      ] as const) {
        const opened = await open(asking, { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode });
        expect([dest, opened.status, sessionIn(opened)]).to.deep.equal([dest, 204, undefined]);
      }
      expect((await open(asking)).status).to.equal(302);
    });

    it('LOGIN-04: does not take the cookie of a browser that asked for another link for that of this one', async () => {
      const other = new SignInClient(service.url);
      await other.link('alan.turing@example.org');

      const opened = await open(other);

      expect([opened.status, sessionIn(opened)]).to.deep.equal([200, undefined]);
    });
  });
});

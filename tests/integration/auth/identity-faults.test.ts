import { expect } from 'chai';
import { accountAnswer, LINK_SECRET } from '../../support/identity-answers.js';
import { appwriteError, type Reply } from '../../support/recording-identity-server.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const EXCHANGE = 'POST /account/sessions/token';
const LOOKUP = 'GET /account';
const SESSION = '__Host-crf_session';
const LINK = `/login?userId=ada&secret=${LINK_SECRET}`;

const FAULTS: readonly (readonly [string, Reply])[] = [
  ['does not answer', 'hang'],
  ['breaks the connection', 'reset'],
  ['stops in the middle of an answer', 'half'],
  ['answers 500', appwriteError(500, 'general_server_error')],
  ['answers a proxy page', { status: 502, text: '<html>', contentType: 'text/html' }],
  ['answers 429', appwriteError(429, 'general_rate_limit_exceeded')],
];

describe('A link while the identity backend fails, over HTTP', () => {
  let running: ServiceWithAuth;
  before(async () => {
    running = await startServiceWithAuth();
  });
  after(() => running.close());

  for (const [index, [fault, reply]] of FAULTS.entries()) {
    for (const route of [EXCHANGE, LOOKUP]) {
      it(`LOGIN-09: is answered with 503 and Retry-After when it ${fault} at ${route}, and works the next time`, async () => {
        const browser = running.browser();
        const link = `/login?userId=ada-${index}-${route === LOOKUP}&secret=${LINK_SECRET}`;
        running.auth.server.once(route, reply);

        const failed = await browser.send(link);

        expect(failed.status).to.equal(503);
        expect(failed.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
        expect(failed.headers.getSetCookie()).to.deep.equal([]);
        expect(await failed.json()).to.include({ code: 'identity_unavailable' });
        expect((await browser.send(link)).status).to.equal(302);
        expect(await browser.status('/api/v1/auth/me')).to.equal(200);
      });
    }
  }

  it('LOGIN-09: is answered with a page that reveals nothing of the link in a browser', async () => {
    running.auth.server.once(EXCHANGE, 'reset');

    const answer = await running.browser().send(LINK, { headers: { accept: 'text/html' } });

    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    expect(await answer.text())
      .to.include('<html')
      .and.not.include(LINK_SECRET);
  });
});

describe('A session that cannot be checked, over HTTP', () => {
  afterEach(() => running.auth.server.on(LOOKUP, { status: 200, json: accountAnswer('ada') }));
  let running: ServiceWithAuth;
  before(async () => {
    // Without a cache of successful checks, every request makes one.
    running = await startServiceWithAuth({ sessionCheckSeconds: 0 });
  });
  after(() => running.close());

  const routes = [
    'GET /api/v1/auth/me',
    'GET /api/v1/auth/sessions',
    'DELETE /api/v1/auth/account',
    'GET /api/v1/project/version',
    'GET /api/v1/records',
    'GET /dashboard',
  ];
  const send = async (route: string, cookie?: string) => {
    const [method = '', path = ''] = route.split(' ');
    const client = running.browser();
    if (cookie !== undefined) client.cookies.set(SESSION, cookie);
    return client.send(path, { method, headers: { 'sec-fetch-site': 'same-origin' } });
  };

  for (const [fault, reply] of [...FAULTS, ['answers something else', { status: 200, json: {} }]] as const) {
    it(`SESS-06: is refused with 503 on every route that needs a person when the identity backend ${fault}`, async () => {
      const cookie = (await running.signedIn('ada')).cookies.get(SESSION);
      running.auth.server.on(LOOKUP, reply);

      const answers = await Promise.all(routes.map((route) => send(route, cookie)));

      for (const [index, answer] of answers.entries()) {
        expect(answer.status, routes[index]).to.equal(503);
        expect(await answer.json(), routes[index]).to.include({ code: 'identity_unavailable' });
      }
      running.auth.server.on(LOOKUP, { status: 200, json: accountAnswer('ada') });
      expect((await send('GET /api/v1/auth/me', cookie)).status).to.equal(200);
    });
  }

  const dead: readonly (readonly [string, Reply])[] = [
    ['ended elsewhere', appwriteError(401, 'general_unauthorized_scope')],
    ['belongs to a blocked person', appwriteError(403, 'user_blocked')],
    ['belongs to another person', { status: 200, json: accountAnswer('eve') }],
  ];
  for (const [what, reply] of dead) {
    it(`SESS-06: is refused if it ${what}`, async () => {
      const cookie = (await running.signedIn('ada')).cookies.get(SESSION);
      running.auth.server.on(LOOKUP, reply);

      const statuses = await Promise.all(routes.map(async (route) => (await send(route, cookie)).status));

      expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 303]);
    });
  }

  for (const cookie of [undefined, '', 'x', 'a'.repeat(800)]) {
    it(`SESS-06: is refused without a check for an unknown cookie of ${cookie?.length ?? 'no'} characters`, async () => {
      const asked = running.auth.server.requests.length;

      const statuses = await Promise.all(routes.map(async (route) => (await send(route, cookie)).status));

      expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 303]);
      expect(running.auth.server.requests).to.have.length(asked);
    });
  }
});

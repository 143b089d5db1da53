import { expect } from 'chai';
import request from 'supertest';
import { isScope, SCOPES, type Scope } from '../../../src/domain/identifiers/scope.js';
import { OPERATIONS } from '../../support/api-operations.js';
import { ROUTES_OF_SCOPES } from '../../support/route-scopes.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';

/** The routes that need no credential, with the reason. */
const PUBLIC: Readonly<Record<string, string>> = {
  'GET /health': 'liveness',
  'GET /health/ready': 'readiness',
  'GET /login': 'the page that asks for an address, and the link in the mail',
  'POST /api/v1/auth/signup': 'who has no credential yet',
  'POST /api/v1/auth/logout': 'who has the cookie of a session that is over',
};

/** Routes that change nothing, and use POST only because their query is too long for a URL. */
const READS_BY_POST: ReadonlySet<string> = new Set(['POST /api/v1/records/query']);

const pathOf = (template: string): string =>
  template.replace('{email}', 'ada@example.org').replace(/\{\w+\}/g, 'someid');

const operations = OPERATIONS.map(({ method, template, scopes }) => ({
  method,
  template,
  path: pathOf(template),
  scopes,
}));

/** The routes of the list, with the scopes they require. */
const guardedRoutes = Object.entries(ROUTES_OF_SCOPES).flatMap(([names, routes]) =>
  routes.map((route) => {
    const [method = '', template = ''] = route.split(' ');
    return { method, template, path: pathOf(template), scopes: names.split(' ').filter(isScope) };
  }),
);

/** Calls `request(server).get(path)`, for any method by name. */
function agentCall(agent: ReturnType<typeof request>, method: string, path: string): request.Test {
  const name = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  return agent[name](path);
}

describe('Access', () => {
  let service: TestService;
  let running: ServiceWithAuth;
  before(async () => {
    // Without a sign-in, its routes are not there for anybody.
    running = await startServiceWithAuth();
    service = running.service;
  });
  after(() => running.close());

  const send = (method: string, path: string) =>
    agentCall(request(service.server), method, path).type('json');

  for (const { method, template, path } of operations) {
    const name = `${method} ${template}`;
    if (name in PUBLIC) continue;

    it(`GW-01: is refused without a credential before its body is read at ${name}`, async () => {
      const { status } = await send(method, path).send('{');

      expect(status).to.equal(401);
    });

    it(`GW-01: is refused with 401 without a credential at ${name}`, async () => {
      const { status, headers, body } = await send(method, path);

      expect(status).to.equal(401);
      expect(headers['www-authenticate']).to.match(/^Bearer /);
      expect(body.code).to.equal('unauthenticated');
    });
  }

  describe('with a key', () => {
    /** A key with the scopes of an operation, and for each of its scopes a key with all others. */
    const keysOf = (scopes: readonly Scope[]) => ({
      own: keyWith(...scopes),
      others: scopes.map((scope) => keyWith(...SCOPES.filter((candidate) => candidate !== scope))),
    });
    const guarded = guardedRoutes.map((route) => ({ ...route, keys: keysOf(route.scopes) }));
    let closed: TestService;
    before(async () => {
      const apiKeys = guarded.flatMap(({ keys }) => [
        keys.own.apiKey,
        ...keys.others.map(({ apiKey }) => apiKey),
      ]);
      closed = await startService({ access: { apiKeys } });
    });
    after(() => closed.close());

    for (const { method, template, path, scopes, keys } of guarded) {
      it(`GW-02: requires exactly ${scopes.join(' and ')} for ${method} ${template}`, async () => {
        const ask = ({ authorization }: { readonly authorization: string }) =>
          agentCall(request(closed.server), method, path).type('json').set('Authorization', authorization);

        for (const key of keys.others) {
          const { status, body } = await ask(key);
          expect(status).to.equal(403);
          expect(body).to.include({ code: 'insufficient_scope' });
        }
        expect((await ask(keys.own)).status).to.not.be.oneOf([401, 403]);
      });
    }

    it('GW-02: lists exactly the routes of the document that require scopes, with theirs', () => {
      const textOf = ({ method, template, scopes }: (typeof guardedRoutes)[number]): string =>
        `${method} ${template} ${scopes.join(' ')}`;

      expect(guardedRoutes.map(textOf)).to.have.members(
        operations.flatMap(({ scopes, ...route }) =>
          scopes.length > 0 ? [textOf({ ...route, scopes: [...scopes] })] : [],
        ),
      );
    });

    for (const route of ['arms', 'events'] as const) {
      it(`GW-02: deletes what is not sent to ${route} only with design:delete`, async () => {
        const [design, both] = [keyWith('design:write'), keyWith('design:write', 'design:delete')];
        const replacing = await startService({ access: { apiKeys: [design.apiKey, both.apiKey] } });
        const entries = { arms: [{ number: 1, name: 'A' }], events: [{ label: 'E', arm: 1 }] };
        const put = (query: string, { authorization }: { readonly authorization: string }) =>
          request(replacing.server)
            .put(`/api/v1/project/${route}${query}`)
            .set('Authorization', authorization)
            .send({ data: entries[route] });
        try {
          const { status, body } = await put('?replace=true', design);
          expect([status, body.code]).to.deep.equal([403, 'insufficient_scope']);
          expect(body.detail).to.include('design:delete');
          for (const answer of [
            await put('', design),
            await put('?replace=false', design),
            await put('?replace=true', both),
          ])
            expect(answer.status).to.not.be.oneOf([401, 403]);
        } finally {
          await replacing.close();
        }
      });
    }

    it('GW-02: deletes data of no design with design:write alone', () => {
      const deleting = guardedRoutes.filter(
        ({ method, scopes }) => method === 'DELETE' && scopes.includes('design:write'),
      );

      expect(deleting).to.deep.equal([]);
    });

    it('GW-02: requires a scope for changes on every route that makes one', () => {
      const lax = operations.filter(
        ({ method, template, scopes }) =>
          method !== 'GET' &&
          scopes.length > 0 &&
          scopes.every((scope) => scope.endsWith(':read')) &&
          !READS_BY_POST.has(`${method} ${template}`),
      );

      expect(lax.map(({ method, template }) => `${method} ${template}`)).to.deep.equal([]);
    });
  });

  describe('with a session', () => {
    const changes = guardedRoutes.filter(({ method }) => method !== 'GET');
    let running: ServiceWithAuth;
    let cookie: string;
    before(async () => {
      running = await startServiceWithAuth({}, { access: { sessionScopes: SCOPES } });
      const { cookies } = await running.signedIn('ada');
      cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    });
    after(() => running.close());

    for (const { method, template, path } of changes) {
      it(`CSRF-01: refuses ${method} ${template} unless a page of this service sends it`, async () => {
        const ask = (headers: Readonly<Record<string, string>>) =>
          agentCall(request(running.service.server), method, path)
            .type('json')
            .set({ cookie, ...headers });

        for (const headers of [
          {},
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { 'sec-fetch-site': 'none' },
          { origin: 'https://evil.example.org' },
          { origin: 'null' },
        ]) {
          const { status, body } = await ask(headers);
          expect([status, body.code], JSON.stringify(headers)).to.deep.equal([403, 'cross_site_request']);
        }
        for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://app.example.org' }])
          expect((await ask(headers)).status).to.not.be.oneOf([401, 403]);
      });
    }
  });

  it('GW-02: ignores a key in the URL', async () => {
    const key = service.authorization.replace('Bearer ', '');
    const { status, text } = await send('GET', `/api/v1/project/version?api_key=${key}`);

    expect(status).to.equal(400);
    expect(text).to.not.include(key);
  });

  it('is open to everyone in open mode, but still refuses a wrong key', async () => {
    const open = await startService({ access: { allowAnonymous: true } });
    const wrong = keyWith(...SCOPES).authorization;

    expect((await request(open.server).get('/api/v1/project/version')).status).to.equal(200);
    expect(
      (await request(open.server).get('/api/v1/project/version').set('Authorization', wrong)).status,
    ).to.equal(401);
    await open.close();
  });

  it('is separate for two applications in one process', async () => {
    const other = await startService();

    const answer = await request(other.server)
      .get('/api/v1/project/version')
      .set('Authorization', service.authorization);

    expect(answer.status).to.equal(401);
    await other.close();
  });

  it('CSRF-03: has no CORS headers', async () => {
    const { headers } = await send('GET', '/health').set('Origin', 'https://evil.example.org');

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });
});

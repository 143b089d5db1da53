import { expect } from 'chai';
import request from 'supertest';
import { ApiDocument } from '../../../src/openapi/api-document.js';
import { SCOPES, type Scope } from '../../../src/services/access/scope.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';

/** The routes that need no credential, and why. */
const PUBLIC: Readonly<Record<string, string>> = {
  'GET /health': 'liveness',
  'GET /health/ready': 'readiness',
  'GET /login': 'the page that asks for an address, and the link in the mail',
  'POST /api/v1/auth/signup': 'who has no credential yet',
  'POST /api/v1/auth/logout': 'says the same with and without a session',
};

const operations = ApiDocument.load().paths.flatMap(({ template, methods }) =>
  [...methods.keys()].map((method) => ({
    method,
    template,
    path: template.replace('{email}', 'ada@example.org').replace('{id}', 'someid'),
  })),
);

/** `request(server).get(path)`, by the name of the method. */
function agentCall(agent: ReturnType<typeof request>, method: string, path: string): request.Test {
  const name = method.toLowerCase() as 'get' | 'post' | 'delete';
  return agent[name](path);
}

describe('Access', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const send = (method: string, path: string) =>
    agentCall(request(service.server), method, path).type('json');

  for (const { method, template, path } of operations) {
    const name = `${method} ${template}`;
    if (name in PUBLIC) continue;

    it(`GW-01: ${name} without a credential is 401`, async () => {
      const { status, headers, body } = await send(method, path);

      expect(status).to.equal(401);
      expect(headers['www-authenticate']).to.match(/^Bearer /);
      expect(body.code).to.equal('unauthenticated');
    });
  }

  const needed: readonly [string, string, Scope][] = [
    ['GET', '/api/v1/project/version', 'project:read'],
    ['GET', '/api/v1/project/info', 'project:read'],
    ['GET', '/api/v1/project/instruments', 'project:read'],
    ['GET', '/api/v1/project/fields', 'project:read'],
    ['GET', '/api/v1/project/export-field-names', 'project:read'],
    ['GET', '/api/v1/records', 'records:read'],
    ['POST', '/api/v1/records', 'records:write'],
    ['GET', '/api/v1/users/nobody@example.org', 'users:read'],
  ];
  for (const [method, path, scope] of needed) {
    it(`GW-02: ${method} ${path} asks for ${scope} and for nothing else`, async () => {
      const others = keyWith(...SCOPES.filter((candidate) => candidate !== scope));
      const own = keyWith(scope);
      const closed = await startService({ access: { apiKeys: [others.apiKey, own.apiKey] } });
      const ask = (authorization: string) =>
        agentCall(request(closed.server), method, path).type('json').set('Authorization', authorization);

      const [refused, accepted] = [await ask(others.authorization), await ask(own.authorization)];

      expect(refused.status).to.equal(403);
      expect(refused.body).to.include({ code: 'insufficient_scope' });
      expect(accepted.status).to.not.be.oneOf([401, 403]);
      await closed.close();
    });
  }

  it('GW-02: never takes a key from the URL', async () => {
    const key = service.authorization.replace('Bearer ', '');
    const { status, text } = await send('GET', `/api/v1/project/version?api_key=${key}`);

    expect(status).to.equal(400);
    expect(text).to.not.include(key);
  });

  it('lets everybody in when it is open, and refuses a wrong key all the same', async () => {
    const open = await startService({ access: { allowAnonymous: true } });
    const wrong = keyWith(...SCOPES).authorization;

    expect((await request(open.server).get('/api/v1/project/version')).status).to.equal(200);
    expect(
      (await request(open.server).get('/api/v1/project/version').set('Authorization', wrong)).status,
    ).to.equal(401);
    await open.close();
  });

  it('keeps two applications of one process apart', async () => {
    const other = await startService();

    const answer = await request(other.server)
      .get('/api/v1/project/version')
      .set('Authorization', service.authorization);

    expect(answer.status).to.equal(401);
    await other.close();
  });

  it('CSRF-03: sends no CORS header to anybody', async () => {
    const { headers } = await send('GET', '/health').set('Origin', 'https://evil.example.org');

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });
});

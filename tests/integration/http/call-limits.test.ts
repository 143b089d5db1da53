import { expect } from 'chai';
import request from 'supertest';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { OPERATIONS } from '../../support/api-operations.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { parseFields } from '../../support/structured-fields.js';

const VERSION = '/api/v1/project/version';
const NETWORK = { 'X-Forwarded-For': '192.0.2.7' };

describe('The limits of API calls', () => {
  let service: TestService;
  let identity: TestAuth | undefined;
  afterEach(async () => {
    await service.close();
    await identity?.server.stop();
    identity = undefined;
  });

  async function start(options: Partial<CreateAppOptions>): Promise<void> {
    service = await startService({ trustProxy: 1, ...options });
  }

  /** Returns the statuses of consecutive calls. */
  async function statuses(times: number, headers: Record<string, string>, path = VERSION): Promise<number[]> {
    const seen: number[] = [];
    for (let index = 0; index < times; index += 1) {
      seen.push((await request(service.server).get(path).set(headers)).status);
    }
    return seen;
  }

  it('RATE-01: apply to each API key, from any network', async () => {
    const [one, other] = [keyWith(...SCOPES), keyWith(...SCOPES)];
    await start({
      access: { apiKeys: [one.apiKey, { ...other.apiKey, name: 'other' }] },
      limits: { callsPerMinute: 3 },
    });

    expect(await statuses(2, { Authorization: one.authorization })).to.deep.equal([200, 200]);
    expect(await statuses(2, { Authorization: one.authorization, ...NETWORK })).to.deep.equal([200, 429]);
    expect(await statuses(1, { Authorization: other.authorization })).to.deep.equal([200]);
  });

  it('RATE-01: include calls that lack a scope', async () => {
    const key = keyWith('records:read');
    await start({ access: { apiKeys: [key.apiKey] }, limits: { callsPerMinute: 2 } });

    expect(await statuses(3, { Authorization: key.authorization })).to.deep.equal([403, 403, 429]);
  });

  it('RATE-01: apply to each network in open mode', async () => {
    await start({ access: { allowAnonymous: true }, limits: { callsPerMinute: 2 } });

    expect(await statuses(3, NETWORK)).to.deep.equal([200, 200, 429]);
    expect(await statuses(1, { 'X-Forwarded-For': '192.0.2.8' })).to.deep.equal([200]);
  });

  it('RATE-01: allow fewer calls without a valid credential, which do not affect valid ones', async () => {
    await start({ limits: { callsPerMinute: 100, failedAuthPerMinute: 3 } });
    const wrong = { ...NETWORK, Authorization: keyWith(...SCOPES).authorization };

    expect(await statuses(2, wrong)).to.deep.equal([401, 401]);
    expect(await statuses(3, NETWORK)).to.deep.equal([401, 429, 429]);
    expect(await statuses(1, wrong)).to.deep.equal([429]);
    expect(await statuses(1, { ...NETWORK, Authorization: service.authorization })).to.deep.equal([200]);
    expect(await statuses(1, { 'X-Forwarded-For': '192.0.2.8' })).to.deep.equal([401]);
  });

  it('RATE-01: count what a stranger sends before any of it is read', async () => {
    await start({ limits: { failedAuthPerMinute: 1 } });
    const send = () =>
      request(service.server).put('/api/v1/project/arms').set(NETWORK).type('json').send('{');

    expect((await send()).status).to.equal(401);
    expect((await send()).status).to.equal(429);
  });

  it('RATE-01: are off if set to 0', async () => {
    await start({ limits: { callsPerMinute: 0, failedAuthPerMinute: 0 } });

    expect(new Set(await statuses(80, {}))).to.deep.equal(new Set([401]));
    expect(new Set(await statuses(20, { Authorization: service.authorization }))).to.deep.equal(
      new Set([200]),
    );
  });

  it('RATE-03: ignore the address that a client claims without a trusted proxy', async () => {
    await start({ trustProxy: 0, limits: { failedAuthPerMinute: 2 } });

    const seen: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      seen.push(...(await statuses(1, { 'X-Forwarded-For': `192.0.2.${index}` })));
    }

    expect(seen).to.deep.equal([401, 401, 429]);
  });

  it('RATE-03: ignore addresses to the left of the trusted proxy', async () => {
    await start({ limits: { failedAuthPerMinute: 2 } });

    const seen: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      seen.push(...(await statuses(1, { 'X-Forwarded-For': `198.51.100.${index}, 192.0.2.7` })));
    }

    expect(seen).to.deep.equal([401, 401, 429]);
  });

  it('RATE-03: apply to an IPv6 /64 as a whole', async () => {
    await start({ limits: { failedAuthPerMinute: 2 } });
    const from = (address: string) => statuses(1, { 'X-Forwarded-For': address });

    expect(await from('2001:db8:0:1::1')).to.deep.equal([401]);
    expect(await from('2001:db8:0:1:ffff:ffff:ffff:ffff')).to.deep.equal([401]);
    expect(await from('2001:db8:0:1:0:0:0:2')).to.deep.equal([429]);
    expect(await from('2001:db8:0:2::1')).to.deep.equal([401]);
  });

  it('RATE-04: keep refusing a network while a thousand others call', async () => {
    await start({ limits: { failedAuthPerMinute: 1 } });
    await statuses(2, NETWORK);

    for (let index = 0; index < 1000; index += 50) {
      const others = Array.from({ length: 50 }, (_, at) => `2001:db8:0:${(index + at).toString(16)}::1`);
      await Promise.all(others.map((address) => statuses(1, { 'X-Forwarded-For': address })));
    }

    expect(await statuses(1, NETWORK)).to.deep.equal([429]);
  }).timeout(60_000);

  it('RATE-05: are reported as a problem with the time to try again, in seconds and in structured fields', async () => {
    await start({ limits: { callsPerMinute: 1 } });
    const headers = { Authorization: service.authorization };
    await statuses(1, headers);

    const refused = await request(service.server).get(VERSION).set(headers);

    expect(refused.status).to.equal(429);
    expect(refused.type).to.equal('application/problem+json');
    expect(refused.body).to.include({ code: 'rate_limited', status: 429 });
    const [policy] = parseFields(refused.headers['ratelimit-policy']);
    const [left] = parseFields(refused.headers.ratelimit);
    expect(policy).to.deep.equal({ item: 'api-minute', parameters: { q: 1, w: 60 } });
    expect(left?.item).to.equal('api-minute');
    expect(left?.parameters.r).to.equal(0);
    expect(left?.parameters.t).to.be.within(1, 60);
    expect(refused.headers['retry-after']).to.match(/^\d+$/);
    expect(Number(refused.headers['retry-after'])).to.be.at.least(Number(left?.parameters.t));
  });

  const SEND = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
  const api = OPERATIONS.filter(({ template }) => template.startsWith('/api/'));
  for (const { method, template, responses } of api) {
    if (template === '/api/v1/auth/signup') continue; // This route has its own limits.
    it(`RATE-01: apply to ${method} ${template}, and are documented`, async () => {
      // The routes of the sign-in are there if there is one.
      identity = template.startsWith('/api/v1/auth/') ? await startAuth() : undefined;
      const auth = identity && { service: identity.service, trustedOrigins: ['https://app.example.org'] };
      await start({ auth, limits: { callsPerMinute: 1, failedAuthPerMinute: 1 } });
      const path = template.replace('{email}', 'ada@example.org').replace('{id}', 'someid');
      const send = () => request(service.server)[SEND[method as keyof typeof SEND]](path).type('json');

      await send();

      expect((await send()).status).to.equal(429);
      expect(responses).to.have.property('429');
    });
  }

  for (const path of ['/health', '/health/ready', '/openapi.json', '/docs/']) {
    it(`RATE-01: do not apply to ${path}`, async () => {
      await start({ docs: true, limits: { callsPerMinute: 1, failedAuthPerMinute: 1 } });

      expect(await statuses(3, {}, path)).to.deep.equal([200, 200, 200]);
    });
  }
});

describe('The call limits of a signed-in person', () => {
  it('RATE-01: apply to each person on all their devices together', async () => {
    const service = await startWholeService({ ALLOW_ANONYMOUS: 'false', API_CALLS_PER_MINUTE: '3' });
    const [phone, laptop, other] = [1, 2, 3].map(() => new SignInClient(service.url));
    await phone?.signIn('ada.lovelace@example.org');
    await other?.signIn('alan.turing@example.org');
    for (const [name, value] of phone?.cookies ?? []) laptop?.cookies.set(name, value);

    const seen = [
      await phone?.status(VERSION),
      await phone?.status('/api/v1/auth/me'),
      await laptop?.status(VERSION),
      await laptop?.status(VERSION),
      await other?.status(VERSION),
    ];

    expect(seen).to.deep.equal([200, 200, 200, 429, 200]);
    await service.stop();
  });

  it('RATE-01: do not apply on the sandbox in open mode unless configured', async () => {
    const open = await startWholeService();
    const limited = await startWholeService({ API_CALLS_PER_MINUTE: '1' });
    const statusOf = async (url: string) => (await fetch(`${url}${VERSION}`)).status;

    const seen = new Set<number>();
    for (let calls = 0; calls < 620; calls += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(open.url)));
      for (const status of answers) seen.add(status);
    }
    expect([...seen]).to.deep.equal([200]);
    expect([await statusOf(limited.url), await statusOf(limited.url)]).to.deep.equal([200, 429]);
    await Promise.all([open.stop(), limited.stop()]);
  }).timeout(60_000);
});

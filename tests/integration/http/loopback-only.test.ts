import { expect } from 'chai';
import request from 'supertest';
import { startService, type TestService } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';

describe('An open service on loopback', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ access: { allowAnonymous: true, isLoopbackOnly: true } });
  });
  after(() => service.close());

  const ask = (host: string) => request(service.server).get('/api/v1/project/version').set('Host', host);

  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]', '[::1]:3000']) {
    it(`answers requests for ${host}`, async () => {
      expect((await ask(host)).status).to.equal(200);
    });
  }

  for (const host of [
    'rebound.example.org',
    'rebound.example.org:3000',
    'localhost.example.org',
    '127.0.0.1.example.org',
    '192.168.1.7:3000',
    '',
  ]) {
    it(`refuses the host name ${host || 'that is empty'}, which a malicious page may have resolved to it`, async () => {
      const { status, body } = await ask(host);

      expect(status).to.equal(421);
      expect(body.code).to.equal('unexpected_host');
    });
  }

  for (const [what, headers, status] of [
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['an old browser on another site', { origin: 'https://example.org' }, 403],
    ['a page without an origin in an old browser', { origin: 'null' }, 403],
    ['its own pages', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 200],
    ['a development server on this machine', { origin: 'http://localhost:5173' }, 200],
    ['a program', {}, 200],
  ] as const) {
    it(`CSRF-01: answers a POST of ${what} with ${status}`, async () => {
      const { body } = await request(service.server)
        .post('/api/v1/records/query')
        .set({ host: 'localhost', ...headers })
        .send({ fields: ['record_id'] })
        .expect(status);

      expect(body.code).to.equal(status === 403 ? 'cross_site_request' : undefined);
    });
  }

  it('answers a link on a page of another site', async () => {
    await request(service.server)
      .get('/health')
      .set({ host: 'localhost', 'sec-fetch-site': 'cross-site' })
      .expect(200);
  });

  it('is the default without configuration, but not with ALLOW_ANONYMOUS=true', async () => {
    for (const [environment, status] of [
      [{}, 421],
      [{ ALLOW_ANONYMOUS: 'true' }, 200],
      [{ ALLOW_ANONYMOUS: 'false' }, 200],
    ] as const) {
      const running = await startWholeService(environment);
      try {
        const answer = await request(running.url).get('/health').set('Host', 'study.example.org');
        expect(answer.status, JSON.stringify(environment)).to.equal(status);
      } finally {
        await running.stop();
      }
    }
  });
});

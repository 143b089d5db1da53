import { expect } from 'chai';
import request from 'supertest';
import { startWholeService } from '../../support/start-whole-service.js';
import type { RunningServer } from '../../../src/server/start-server.js';

describe('Every answer of the whole service', () => {
  let service: RunningServer;

  before(async () => {
    service = await startWholeService();
  });
  after(() => service.stop());

  for (const [method, path] of [
    ['get', '/login'],
    ['get', '/login/'],
    ['get', '/login?userId=a&secret=b'],
    ['get', '/login?nothing=1'],
    ['get', '/login/sent'],
    ['get', '/login/nowhere'],
    ['put', '/login'],
    ['post', '/login/send'],
    ['delete', '/login/code'],
  ] as const) {
    it(`LOGIN-12: is marked noindex for ${method} ${path}, whoever requests it`, async () => {
      for (const accepted of ['text/html', 'application/json']) {
        const { headers } = await request(service.url)[method](path).set('Accept', accepted);

        expect(headers['x-robots-tag'], accepted).to.equal('noindex');
      }
    });
  }

  for (const method of ['post', 'put', 'delete', 'trace'] as const) {
    it(`IN-01: is 405 with Allow for ${method} to the style sheet of the pages`, async () => {
      const page = await request(service.url).get('/login').set('Accept', 'text/html');
      const [, styleSheet = ''] = /href="([^"]+\.css)"/.exec(page.text) ?? [];
      const { status, headers } = await request(service.url)[method](styleSheet);

      expect(status).to.equal(405);
      expect(headers['allow']).to.equal('GET, HEAD');
    });
  }
});

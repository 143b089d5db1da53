import { expect } from 'chai';
import { loadSettings } from '../../../src/server/config/settings.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startWholeService } from '../../support/start-whole-service.js';

const APP = 'https://app.example.org';
const VERSION = '/api/v1/project/version';
const CORS = /^access-control-/;

const corsOf = ({ headers }: Response): string[] => [...headers.keys()].filter((name) => CORS.test(name));

describe('CSRF-03: pages of other origins', () => {
  let service: TestService;
  let authorization: string;
  before(async () => {
    const key = keyWith(...SCOPES);
    authorization = key.authorization;
    service = await startService({ access: { apiKeys: [key.apiKey], allowedOrigins: [APP] } });
  });
  after(() => service.close());

  const ask = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(service.url + path, { method, headers });

  it('may read what a key may read, if their origin is listed', async () => {
    const answer = await ask(VERSION, { origin: APP, authorization });

    expect(answer.status).to.equal(200);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(APP);
    expect(answer.headers.get('vary')).to.match(/\bOrigin\b/);
  });

  it('may read why they are refused', async () => {
    const answer = await ask(VERSION, { origin: APP });

    expect(answer.status).to.equal(401);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(APP);
  });

  it('may ask first what they may send', async () => {
    const answer = await ask(
      '/api/v1/records',
      {
        origin: APP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key,x-request-id',
      },
      'OPTIONS',
    );

    expect(answer.status).to.equal(204);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(APP);
    expect(answer.headers.get('access-control-allow-methods')).to.include('POST');
    expect(answer.headers.get('access-control-allow-headers')).to.match(/Authorization.*Idempotency-Key/);
  });

  for (const [what, origin] of [
    ['another origin', 'https://evil.example.org'],
    ['an origin that begins like it', `${APP}.evil.example`],
    ['another scheme', 'http://app.example.org'],
    ['another port', `${APP}:8443`],
    ['no origin', 'null'],
  ] as const) {
    it(`get nothing if they are from ${what}`, async () => {
      const read = await ask(VERSION, { origin, authorization });
      const asked = await ask(VERSION, { origin, 'access-control-request-method': 'GET' }, 'OPTIONS');

      expect(corsOf(read)).to.deep.equal([]);
      expect(corsOf(asked)).to.deep.equal([]);
      expect(read.headers.get('vary')).to.match(/\bOrigin\b/);
    });
  }

  it('never act for a signed-in person: no answer allows credentials', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await ask(VERSION, { origin: APP, 'access-control-request-method': 'GET' }, method);

      expect(answer.headers.has('access-control-allow-credentials')).to.equal(false);
    }
  });

  it('get nothing of the pages', async () => {
    for (const path of ['/login', '/', '/health', '/dashboard']) {
      expect(corsOf(await ask(path, { origin: APP })), path).to.deep.equal([]);
    }
  });

  it('get nothing by default', async () => {
    const closed = await startService();

    const answer = await fetch(closed.url + VERSION, {
      headers: { origin: APP, authorization: closed.authorization },
    });

    expect(corsOf(answer)).to.deep.equal([]);
    await closed.close();
  });

  it('may call a service that is started with ALLOWED_ORIGINS', async () => {
    const whole = await startWholeService({ ALLOWED_ORIGINS: `${APP}, https://b.example.org` });

    const answer = await fetch(whole.url + VERSION, { headers: { origin: 'https://b.example.org' } });

    expect(answer.headers.get('access-control-allow-origin')).to.equal('https://b.example.org');
    await whole.stop();
  });

  for (const text of ['*', 'app.example.org', `${APP}/`, 'https://APP.example.org', 'null', `${APP},*`]) {
    it(`are not listed as ${text}`, () => {
      expect(() => loadSettings({ ALLOWED_ORIGINS: text })).to.throw(
        /ALLOWED_ORIGINS must be a list of origins/,
      );
    });
  }
});

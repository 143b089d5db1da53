import { expect } from 'chai';
import request from 'supertest';
import { UpstreamInvalidError } from '../../../src/domain/errors/upstream-errors.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { startService, type TestService } from '../../support/start-service.js';

/** Every header that an answer may have, so that a misspelled one fails the test. */
const KNOWN = [
  'access-control-allow-origin', // Never sent. It is listed so that a typo of it is not mistaken for it.
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'keep-alive',
  'referrer-policy',
  'retry-after',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-request-id',
];

describe('The headers of an answer', () => {
  let service: TestService;
  const get = (path: string) => request(service.server).get(path).set('Authorization', service.authorization);

  before(async () => {
    service = await startService({ docs: true, trustProxy: 1 });
  });
  after(() => service.close());

  for (const [path, status] of [
    ['/health', 200],
    ['/openapi.json', 200],
    ['/api/v1/records?fields=record_id', 200],
    ['/docs/', 200],
    ['/api/v1/records?nothing=1', 400],
    ['/nowhere', 404],
  ] as const) {
    it(`HDR-01: protect ${path} (${status}), with no unknown names`, async () => {
      const answer = await get(path);

      expect(answer.status).to.equal(status);
      expect(answer.headers).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(answer.headers['content-security-policy'])
        .to.match(/^default-src 'none';/)
        .and.to.match(/; frame-ancestors 'none'$/);
      expect(Object.keys(answer.headers).filter((name) => !KNOWN.includes(name))).to.deep.equal([]);
    });
  }

  it('HDR-01: include no-store and no ETag for data', async () => {
    const { headers } = await get('/api/v1/records?fields=record_id');

    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).to.not.have.property('etag');
  });

  it('HDR-01: require HTTPS only over HTTPS', async () => {
    const [plain, secure] = [await get('/health'), await get('/health').set('X-Forwarded-Proto', 'https')];

    expect(plain.headers).to.not.have.property('strict-transport-security');
    expect(secure.headers['strict-transport-security']).to.equal('max-age=63072000; includeSubDomains');
  });

  it('HDR-02: let the reference page run only its own scripts, without caching or referrers', async () => {
    const page = await get('/docs/');
    const settings = await get('/docs/swagger-ui-init.js');
    const policy = String(page.headers['content-security-policy']);

    expect(policy).to.match(/(?:^|; )script-src 'self'(?:;|$)/);
    expect(policy).to.match(/(?:^|; )connect-src 'self'(?:;|$)/);
    expect(settings.status).to.equal(200);
    expect(settings.text).to.match(/"validatorUrl": ?null/);
    expect(settings.text).to.match(/"persistAuthorization": ?false/);
    expect(settings.text).to.match(/"queryConfigEnabled": ?false/);
  });

  it('HDR-03: let the document be cached with an ETag', async () => {
    const { headers } = await get('/openapi.json');
    const again = await get('/openapi.json').set('If-None-Match', String(headers.etag));

    expect(again.status).to.equal(304);
  });

  it('LOG-03: return a well-formed request id, and create one otherwise', async () => {
    const given = await get('/health').set('X-Request-Id', 'abc-1.2_3');
    expect(given.headers['x-request-id']).to.equal('abc-1.2_3');

    for (const id of ['a b', 'x'.repeat(65), 'é', '{"level":60}', 'a,b']) {
      const { headers } = await get('/health').set(
        'X-Request-Id',
        encodeURI(id) === id ? id : Buffer.from(id).toString('latin1'),
      );
      expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    }
  });
});

/** Returns a client whose REDCap is never asked for its version. */
function clientThatFailsWith(error: Error): CrfClient {
  const client = createCrfClient({ url: 'http://127.0.0.1:1/api/', token: 'A'.repeat(32) });
  return Object.assign(client, {
    ping: () => Promise.reject(error),
    getVersion: () => Promise.reject(error),
  });
}

describe('ERR-02: an internal fault', () => {
  const sentinel = 'SENTINEL-redcap.internal-SELECT-0123456789ABCDEF';

  for (const [description, error, status, code] of [
    ['of our own', new Error(sentinel), 500, 'internal_error'],
    ['of the upstream', new UpstreamInvalidError(`REDCap answered ${sentinel}`), 502, 'upstream_invalid'],
  ] as const) {
    it(`is answered for ${description} with its title and request id, and no details`, async () => {
      const service = await startService({ capture: clientThatFailsWith(error) });

      const answer = await request(service.server)
        .get('/api/v1/project/version')
        .set('Authorization', service.authorization);

      expect(answer.status).to.equal(status);
      expect(answer.body).to.have.all.keys('type', 'title', 'status', 'instance', 'code');
      expect(answer.body.code).to.equal(code);
      expect(answer.text).to.not.include('SENTINEL');
      await service.close();
    });

    it(`is answered for ${description} with a page without details in a browser`, async () => {
      const service = await startService({ capture: clientThatFailsWith(error) });

      const answer = await request(service.server)
        .get('/api/v1/project/version')
        .set('Accept', 'text/html')
        .set('X-Request-Id', 'id-of-the-request')
        .set('Authorization', service.authorization);

      expect(answer.text)
        .to.not.include('SENTINEL')
        .and.to.not.match(/ at |\.ts|node:/);
      await service.close();
    });
  }
});

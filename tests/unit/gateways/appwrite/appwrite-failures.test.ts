import { expect } from 'chai';
import { AppwriteGateway } from '../../../../src/gateways/appwrite/appwrite-gateway.js';
import {
  accountAnswer,
  API_KEY,
  LINK_SECRET,
  sessionAnswer,
  sessionSecretOf,
  tokenAnswer,
} from '../../../support/identity-answers.js';
import { printed } from '../../../support/printed.js';
import {
  appwriteError,
  startRecordingIdentityServer,
  type RecordingIdentityServer,
  type Reply,
} from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const SECRET = sessionSecretOf('ada');
const LINK = { userId: 'ada', email: 'ada@example.org', url: 'https://app.example.org/login' };
const LINK_ROUTE = 'POST /account/tokens/magic-url';
const EXCHANGE = 'POST /account/sessions/token';
const SENTINEL = 'SENTINEL-upstream-text';

describe('AppwriteGateway, when a call fails', () => {
  let server: RecordingIdentityServer;
  let elsewhere: RecordingIdentityServer;
  let gateway: AppwriteGateway;

  beforeEach(async () => {
    server = await startRecordingIdentityServer();
    elsewhere = await startRecordingIdentityServer();
    gateway = new AppwriteGateway({
      endpoint: server.endpoint,
      projectId: 'study',
      apiKey: API_KEY,
      timeoutMs: 300,
    });
  });
  afterEach(async () => {
    await server.stop();
    await elsewhere.stop();
  });

  const transportFailures: [string, Reply][] = [
    ['no answer in time', 'hang'],
    ['a broken connection', 'reset'],
    ['a truncated answer', 'half'],
    [
      'an HTML page from a proxy',
      { status: 502, text: `<html>${SENTINEL}</html>`, contentType: 'text/html' },
    ],
    ['invalid JSON', { status: 200, text: '{"$id":', contentType: 'application/json' }],
    ['an empty error', { status: 500, text: '', contentType: 'application/json' }],
    ['a 200 with unexpected JSON', { status: 200, json: { hello: SENTINEL } }],
    ['plain text in place of JSON', { status: 200, text: SENTINEL, contentType: 'text/plain' }],
    ['a rate limit', appwriteError(429, 'general_rate_limit_exceeded', SENTINEL)],
    ['a database timeout', appwriteError(408, 'database_timeout', SENTINEL)],
    ['a server error', appwriteError(500, 'general_server_error', SENTINEL)],
    ['no mail server', appwriteError(503, 'general_smtp_disabled', SENTINEL)],
  ];
  for (const [name, reply] of transportFailures) {
    it(`treats ${name} as an outage, in calls with a key and calls with a session`, async () => {
      server.on('POST /account/tokens/magic-url', reply);
      server.on(EXCHANGE, reply);
      server.on('GET /account', reply);

      const errors = await Promise.all([
        rejection(gateway.createMagicUrlToken(LINK)),
        rejection(gateway.createSession('ada', LINK_SECRET)),
        rejection(gateway.getAccount(SECRET)),
      ]);

      expect(errors.map(({ code }) => code)).to.deep.equal(Array(3).fill('identity_unavailable'));
      expect(printed(errors)).to.not.include(SENTINEL);
    });
  }

  it('treats a refused connection as an outage', async () => {
    await server.stop();

    expect(await rejection(gateway.ping())).to.have.property('code', 'identity_unavailable');

    server = await startRecordingIdentityServer();
  });

  for (const status of [301, 302, 307, 308]) {
    it(`UP-01: does not follow a ${status} redirect, so the key stays with its host`, async () => {
      const location = `${elsewhere.endpoint}/account/tokens/magic-url`;
      const reply = { status, text: '', contentType: 'text/plain', location };
      server.on('POST /account/tokens/magic-url', reply);
      server.on('GET /account', reply);

      expect(await rejection(gateway.createMagicUrlToken(LINK))).to.have.property(
        'code',
        'identity_unavailable',
      );
      expect(await rejection(gateway.getAccount(SECRET))).to.have.property('code', 'identity_unavailable');
      expect(elsewhere.requests).to.deep.equal([]);
    });
  }

  const configurationFailures: [number, string, string, RegExp][] = [
    [401, 'user_unauthorized', SENTINEL, /APPWRITE_API_KEY/],
    [401, 'project_key_expired', SENTINEL, /expired/],
    [401, 'general_unauthorized_scope', SENTINEL, /scope/],
    [403, 'project_id_missing', SENTINEL, /APPWRITE_PROJECT_ID/],
    [404, 'project_not_found', SENTINEL, /APPWRITE_PROJECT_ID/],
    [404, 'general_route_not_found', SENTINEL, /APPWRITE/],
    [403, 'general_unknown_origin', SENTINEL, /APPWRITE/],
    [400, 'general_argument_invalid', `Invalid \`url\` param: ${SENTINEL}`, /LOGIN_URL/],
  ];
  for (const [status, type, message, hint] of configurationFailures) {
    it(`treats ${status} ${type} in a call with a key as a configuration error, and names what to check`, async () => {
      server.on(LINK_ROUTE, appwriteError(status, type, message));

      const error = await rejection(gateway.createMagicUrlToken(LINK));

      expect(error).to.have.property('code', 'identity_refused');
      expect(error.message).to.match(hint);
      expect(printed(error)).to.not.include(SENTINEL).and.not.include(API_KEY);
    });
  }

  it('treats an HTML page with status 401 as a configuration error, even in calls with a session', async () => {
    server.on('GET /account', { status: 401, text: SENTINEL, contentType: 'text/html' });

    expect(await rejection(gateway.getAccount(SECRET))).to.have.property('code', 'identity_refused');
  });

  it('treats a blank secret as a configuration error: Appwrite did not accept the key', async () => {
    server.on(EXCHANGE, { status: 201, json: sessionAnswer('ada', 's1', { secret: '' }) });
    server.on(LINK_ROUTE, { status: 201, json: tokenAnswer('ada', '') });

    const exchange = await rejection(gateway.createSession('ada', LINK_SECRET));
    const link = await rejection(gateway.createMagicUrlToken(LINK));

    expect([exchange.code, link.code]).to.deep.equal(['identity_refused', 'identity_refused']);
  });

  it('treats user_invalid_token as a failed sign-in', async () => {
    server.on(EXCHANGE, appwriteError(401, 'user_invalid_token', SENTINEL));

    const error = await rejection(gateway.createSession('ada', LINK_SECRET));

    expect(error).to.have.property('code', 'sign_in_failed');
    expect(printed(error)).to.not.include(SENTINEL).and.not.include(LINK_SECRET);
  });

  const declined: [number, string][] = [
    [400, 'user_count_exceeded'],
    [400, 'user_email_disposable'],
    [400, 'user_email_free'],
    [400, 'user_email_not_canonical'],
    [400, 'user_email_not_corporate'],
    [403, 'user_blocked'],
    [409, 'user_already_exists'],
    [409, 'user_email_already_exists'],
    [409, 'something_new'],
  ];
  for (const [status, type] of declined) {
    it(`AUTH-02: reports ${type} as declined rather than failed, so that signup can answer uniformly`, async () => {
      server.on(LINK_ROUTE, appwriteError(status, type));

      expect(await gateway.createMagicUrlToken(LINK)).to.deep.equal({ kind: 'declined' });
    });
  }

  it('distinguishes a malformed address from an id that may be taken', async () => {
    server.once(LINK_ROUTE, appwriteError(400, 'general_argument_invalid', 'Invalid `email` param: no.'));
    server.once(LINK_ROUTE, appwriteError(500, 'general_unknown'));

    expect(await gateway.createMagicUrlToken(LINK)).to.deep.equal({ kind: 'malformed-address' });
    expect(await gateway.createMagicUrlToken(LINK)).to.deep.equal({ kind: 'maybe-id-taken' });
  });

  const lookups: [number, string, string][] = [
    [401, 'general_unauthorized_scope', 'no-session'],
    [401, 'user_jwt_invalid', 'no-session'],
    [403, 'user_blocked', 'blocked'],
    [401, 'user_more_factors_required', 'more-factors-required'],
    [412, 'user_password_reset_required', 'more-factors-required'],
  ];
  for (const [status, type, kind] of lookups) {
    it(`reads ${status} ${type} in a call with a session as ${kind}`, async () => {
      server.on('GET /account', appwriteError(status, type));

      expect(await gateway.getAccount(SECRET)).to.deep.equal({ kind });
    });
  }

  it('does not accept an HTML page as the answer to a ping', async () => {
    server.on('GET /ping', { status: 200, text: '<html>', contentType: 'text/html' });

    expect(await rejection(gateway.ping())).to.have.property('code', 'identity_unavailable');
  });

  it('keeps working after a failure', async () => {
    server.once('GET /account', 'reset');
    server.on('GET /account', { status: 200, json: accountAnswer() });

    await rejection(gateway.getAccount(SECRET));

    expect(await gateway.getAccount(SECRET)).to.have.property('kind', 'active');
  });
});

describe('AppwriteGateway configuration', () => {
  const valid = { endpoint: 'https://id.example.org/v1', projectId: 'study', apiKey: API_KEY };
  const cases: [string, object][] = [
    ['endpoint', { endpoint: 'http://id.example.org/v1' }],
    ['endpoint', { endpoint: 'https://user:pass@id.example.org/v1' }],
    ['endpoint', { endpoint: 'https://id.example.org/v1?x=1' }],
    ['endpoint', { endpoint: 'ftp://localhost/v1' }],
    ['endpoint', { endpoint: 'http:// ' }],
    ['endpoint', { endpoint: undefined }],
    ['projectId', { projectId: '' }],
    ['projectId', { projectId: 'a b' }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'SENTINEL\r\nX: 1' }],
    ['timeoutMs', { timeoutMs: 0 }],
  ];
  for (const [setting, wrong] of cases) {
    it(`refuses ${JSON.stringify(wrong)}, naming only the setting`, () => {
      expect(() => new AppwriteGateway({ ...valid, ...wrong }))
        .to.throw(`appwrite.${setting}`)
        .and.satisfy((error: Error) => !/SENTINEL|user:pass/.test(printed(error)));
    });
  }

  for (const endpoint of [
    'http://localhost:9/v1',
    'http://127.0.0.1/v1/',
    'http://[::1]:80/v1',
    'https://x.y/v1',
  ]) {
    it(`accepts ${endpoint}`, () => {
      expect(() => new AppwriteGateway({ ...valid, endpoint })).to.not.throw();
    });
  }
});

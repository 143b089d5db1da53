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
  startRecordingIdentityServer,
  type RecordingIdentityServer,
} from '../../../support/recording-identity-server.js';

const SECRET = sessionSecretOf('ada');
const LINK = { userId: 'ada', email: 'ada@example.org', url: 'https://app.example.org/login?st=x' };

describe('AppwriteGateway on the wire', () => {
  let server: RecordingIdentityServer;
  let gateway: AppwriteGateway;

  beforeEach(async () => {
    server = await startRecordingIdentityServer();
    gateway = new AppwriteGateway({ endpoint: `${server.endpoint}/`, projectId: 'study', apiKey: API_KEY });
  });
  afterEach(() => server.stop());

  function onlyRequest() {
    expect(server.requests).to.have.length(1);
    const [request] = server.requests;
    if (request === undefined) throw new Error('Nothing arrived.');
    return request;
  }

  it('requests a link with key, project, address and URL, and nothing else', async () => {
    server.on('POST /account/tokens/magic-url', { status: 201, json: tokenAnswer() });

    await gateway.createMagicUrlToken(LINK);

    const request = onlyRequest();
    expect(request.url).to.equal('/v1/account/tokens/magic-url');
    expect(JSON.parse(request.body)).to.deep.equal({ ...LINK, phrase: true });
    expect(request.headers).to.include({
      'x-appwrite-key': API_KEY,
      'x-appwrite-project': 'study',
      'content-type': 'application/json',
    });
    expect(request.headers).to.not.have.any.keys('x-appwrite-session', 'x-forwarded-user-agent', 'origin');
  });

  it('AUTH-01: returns the id and a fingerprint of the link, not its secret', async () => {
    server.on('POST /account/tokens/magic-url', { status: 201, json: tokenAnswer() });

    const outcome = await gateway.createMagicUrlToken(LINK);

    expect(outcome).to.have.property('tokenId', '6740a1f2c3d4e5f60718');
    expect(outcome).to.have.all.keys('kind', 'tokenId', 'userId', 'phrase', 'fingerprint');
    expect(printed(outcome)).to.not.include(LINK_SECRET);
  });

  it('forwards the user agent, shortened and without control characters', async () => {
    server.on('POST /account/sessions/token', { status: 201, json: sessionAnswer() });

    await gateway.createSession('ada', LINK_SECRET, `Firefox\r\nX-Evil: 1\u0000ü${'x'.repeat(5_000)}`);

    const { headers } = onlyRequest();
    expect(headers['x-forwarded-user-agent'])
      .to.match(/^FirefoxX-Evil: 1x+$/)
      .and.have.length(256);
    expect(headers).to.not.have.property('x-evil');
  });

  it('exchanges a link for a session, authenticated with the key', async () => {
    server.on('POST /account/sessions/token', { status: 201, json: sessionAnswer() });

    const session = await gateway.createSession('ada', LINK_SECRET);

    const request = onlyRequest();
    expect(JSON.parse(request.body)).to.deep.equal({ userId: 'ada', secret: LINK_SECRET });
    expect(request.headers).to.include({ 'x-appwrite-key': API_KEY });
    expect(session).to.deep.equal({
      id: 's1',
      userId: 'ada',
      secret: SECRET,
      expire: '2027-11-20T20:00:00.123+00:00',
    });
  });

  it('reads an account with the session and without the key', async () => {
    server.on('GET /account', { status: 200, json: accountAnswer() });

    const lookup = await gateway.getAccount(SECRET);

    const { headers } = onlyRequest();
    expect(headers).to.include({ 'x-appwrite-session': SECRET, 'x-appwrite-project': 'study' });
    expect(headers).to.not.have.property('x-appwrite-key');
    expect(lookup).to.deep.equal({
      kind: 'active',
      account: { id: 'ada', email: 'ada@example.org', isEnabled: true, isEmailVerified: true },
    });
  });

  it('SESS-08: lists sessions without their secrets', async () => {
    const sessions = [sessionAnswer('ada', 's1'), sessionAnswer('ada', 's2', { current: false })];
    server.on('GET /account/sessions', { status: 200, json: { total: 2, sessions } });

    const list = await gateway.listSessions(SECRET);

    expect(list?.map(({ id }) => id)).to.deep.equal(['s1', 's2']);
    expect(printed(list)).to.not.include(SECRET.slice(0, 40)).and.not.include('secret');
  });

  it('ends sessions and deletes accounts with the key', async () => {
    server.on('DELETE /users/*/sessions/*', { status: 204 });
    server.on('DELETE /users/*/sessions', { status: 204 });
    server.on('DELETE /users/*', { status: 204 });

    await gateway.deleteUserSession('ada', 's1');
    await gateway.deleteUserSessions('ada');
    await gateway.deleteUser('ada');

    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'DELETE /v1/users/ada/sessions/s1',
      'DELETE /v1/users/ada/sessions',
      'DELETE /v1/users/ada',
    ]);
    expect(server.requests.every(({ headers }) => headers['x-appwrite-key'] === API_KEY)).to.equal(true);
  });

  it('finds a person by id', async () => {
    server.on('GET /users/ada', { status: 200, json: accountAnswer() });

    expect(await gateway.getUser('ada')).to.include({ id: 'ada', email: 'ada@example.org' });
  });

  it('returns undefined for an unknown person, and succeeds in deleting one', async () => {
    const nobody = { status: 404, json: { message: 'x', code: 404, type: 'user_not_found', version: '1' } };
    server.on('GET /users/ada', nobody);
    server.on('DELETE /users/*', nobody);
    server.on('DELETE /users/*/sessions', nobody);

    expect(await gateway.getUser('ada')).to.equal(undefined);
    await gateway.deleteUserSessions('ada');
    await gateway.deleteUser('ada');
  });

  it('pings with the key', async () => {
    server.on('GET /ping', { status: 200, text: 'Pong!', contentType: 'text/plain' });

    await gateway.ping();

    expect(onlyRequest().headers).to.include({ 'x-appwrite-key': API_KEY, 'x-appwrite-project': 'study' });
  });

  it('reports which scopes the key has, without touching an existing account', async () => {
    const refused = { message: 'x', code: 401, type: 'general_unauthorized_scope', version: '1' };
    const unknown = { message: 'x', code: 401, type: 'user_invalid_token', version: '1' };
    server.on('POST /account/sessions/token', { status: 401, json: unknown });
    server.on('GET /users', { status: 200, json: { total: 0, users: [accountAnswer()] } });
    server.on('PATCH /users/*/status', { status: 401, json: refused });

    const scopes = await gateway.probeScopes();

    expect(scopes).to.deep.equal({ 'sessions.write': true, 'users.read': true, 'users.write': false });
  });

  for (const userId of ['', '.', '..', '../users', 'a/b', 'ada?x', '_a', 'a'.repeat(37)]) {
    it(`sends nothing for the user id ${JSON.stringify(userId)}`, async () => {
      const calls = [
        gateway.getUser(userId),
        gateway.deleteUser(userId),
        gateway.deleteUserSessions(userId),
        gateway.deleteUserSession(userId, 's1'),
        gateway.createSession(userId, LINK_SECRET),
        gateway.createMagicUrlToken({ ...LINK, userId }),
      ];

      const outcomes = await Promise.allSettled(calls);

      expect(outcomes.map(({ status }) => status)).to.deep.equal(Array(6).fill('rejected'));
      expect(
        outcomes.map((outcome) => 'reason' in outcome && (outcome.reason as { code: string }).code),
      ).to.deep.equal(Array(6).fill('invalid_identifier'));
      expect(server.requests).to.deep.equal([]);
    });
  }

  for (const secret of ['', 'short', 'a\r\nX-Evil: 1', 'ü'.repeat(100), 'a'.repeat(5_000)]) {
    it(`sends nothing for the session secret ${JSON.stringify(secret.slice(0, 12))}`, async () => {
      expect(await gateway.getAccount(secret)).to.deep.equal({ kind: 'no-session' });
      expect(await gateway.listSessions(secret)).to.equal(undefined);
      expect(server.requests).to.deep.equal([]);
    });
  }
});

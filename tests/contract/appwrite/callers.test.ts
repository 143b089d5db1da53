import { expect } from 'chai';
import { request } from 'node:http';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { KEY_SCOPES, type KeyScope } from '../../../src/sandbox/appwrite/identity-caller.js';
import { asGuest, exceptionOf, refusalOf, signIn, withKey, withSession, type Caller } from './clients.js';

describe('The callers of the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;

  before(async () => {
    sandbox = await startAppwriteSandbox();
  });
  after(() => sandbox.close());

  it('may ping if they name the project, with the key or as a guest', async () => {
    for (const { client } of [withKey(sandbox), asGuest(sandbox)]) {
      expect({ ...((await client.ping()) as object) }).to.deep.equal({ message: 'Pong!' });
    }
    const other = asGuest({ ...sandbox, projectId: 'another' });
    expect(await refusalOf(other.client.ping())).to.equal('404 project_not_found');
  });

  it('have a different key at every start', async () => {
    const other = await startAppwriteSandbox();

    expect(sandbox.apiKey).to.match(/^standard_[0-9a-f]{256}$/);
    expect(other.apiKey).not.to.equal(sandbox.apiKey);
    expect(await refusalOf(withKey(sandbox, other.apiKey).client.ping())).to.equal('401 user_unauthorized');
    await other.close();
  });

  it('are refused with an unknown key, or treated as guests if Appwrite does not know its prefix', async () => {
    const list = (key: string) => withKey(sandbox, key).users.list();

    expect(await refusalOf(list('standard_0000'))).to.equal('401 user_unauthorized');
    expect(await refusalOf(list('0000'))).to.equal('401 user_unauthorized');
    expect(await refusalOf(list('mykey_0000'))).to.equal('401 general_unauthorized_scope');
    const token = await withKey(sandbox, 'mykey_0000').account.createMagicURLToken({
      userId: 'unique()',
      email: 'ada@example.org',
    });
    expect(token.secret).to.equal('');
  });

  it('learn which scopes they lack, and as whom they are treated', async () => {
    const { secret } = await signIn(sandbox, 'eve@example.org');

    for (const [call, role, scopes] of [
      [asGuest(sandbox).account.get(), 'guests', '["account"]'],
      [withKey(sandbox).account.get(), 'applications', '["account"]'],
      [withSession(sandbox, secret).users.list(), 'users', '["users.read"]'],
    ] as const) {
      expect((await exceptionOf(call)).message).to.equal(`User (role: ${role}) missing scopes (${scopes})`);
    }
  });

  const userId = 'somebody';
  const ROUTES: readonly [string, (caller: Caller) => Promise<unknown>, readonly KeyScope[]][] = [
    [
      'ask for a link',
      ({ account }) => account.createMagicURLToken({ userId, email: 'x' }),
      ['sessions.write'],
    ],
    ['use a link', ({ account }) => account.createSession({ userId, secret: 'x' }), ['sessions.write']],
    ['list users', ({ users }) => users.list(), ['users.read']],
    ['read a user', ({ users }) => users.get({ userId }), ['users.read']],
    ['make a user', ({ users }) => users.create({ userId, email: 'x' }), ['users.write']],
    ['delete a user', ({ users }) => users.delete({ userId }), ['users.write']],
    ['block a user', ({ users }) => users.updateStatus({ userId, status: false }), ['users.write']],
    ['list sessions', ({ users }) => users.listSessions({ userId }), ['users.read', 'sessions.read']],
    ['make a session', ({ users }) => users.createSession({ userId }), ['users.write', 'sessions.write']],
    ['end sessions', ({ users }) => users.deleteSessions({ userId }), ['users.write', 'sessions.write']],
    [
      'end a session',
      ({ users }) => users.deleteSession({ userId, sessionId: 'x' }),
      ['users.write', 'sessions.write'],
    ],
  ];

  for (const scope of KEY_SCOPES) {
    it(`may make the calls that ${scope} allows, and no others`, async () => {
      const narrow = await startAppwriteSandbox({ keyScopes: [scope] });
      const refused: string[] = [];
      for (const [name, call] of ROUTES) {
        const outcome = await call(withKey(narrow)).then(
          () => '',
          (error: { type: string }) => error.type,
        );
        if (outcome === 'general_unauthorized_scope') refused.push(name);
      }
      await narrow.close();

      expect(refused).to.deep.equal(
        ROUTES.filter(([, , scopes]) => !scopes.includes(scope)).map(([name]) => name),
      );
    });
  }

  it('are rate-limited per hour and route without a key, with three headers', async () => {
    let now = Date.parse('2026-11-20T20:00:00Z');
    const limited = await startAppwriteSandbox({ clock: () => new Date(now) });
    const use = () =>
      fetch(`${limited.endpoint}/account/sessions/token`, {
        method: 'POST',
        headers: { 'x-appwrite-project': limited.projectId },
        body: '{"userId":"a","secret":"b"}',
      });
    const answers = [];
    for (let count = 0; count < 11; count += 1) answers.push(await use());

    expect(answers.map(({ status }) => status)).to.deep.equal([
      ...Array.from({ length: 10 }, () => 401),
      429,
    ]);
    const [first, last] = [answers[0]?.headers, answers[10]?.headers];
    expect(first?.get('x-ratelimit-limit')).to.equal('10');
    expect(first?.get('x-ratelimit-remaining')).to.equal('9');
    expect(last?.get('x-ratelimit-remaining')).to.equal('0');
    expect(last?.get('x-ratelimit-reset')).to.equal(String(Date.parse('2026-11-20T21:00:00Z') / 1000));
    expect(await answers[10]?.json()).to.include({ code: 429, type: 'general_rate_limit_exceeded' });
    expect(await refusalOf(withKey(limited).account.createSession({ userId: 'a', secret: 'b' }))).to.equal(
      '401 user_invalid_token',
    );
    now += 3_600_000;
    expect((await use()).status).to.equal(401);
    await limited.close();
  });
});

describe('The protocol of the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  const call = (method: string, path: string, body?: string) =>
    fetch(sandbox.endpoint + path, {
      method,
      headers: { 'x-appwrite-project': sandbox.projectId, 'x-appwrite-key': sandbox.apiKey },
      ...(body !== undefined && { body }),
    });

  before(async () => {
    sandbox = await startAppwriteSandbox();
  });
  after(() => sandbox.close());

  it('returns errors with four members in JSON', async () => {
    const response = await call('GET', '/users/nobody');

    expect(response.status).to.equal(404);
    expect(response.headers.get('content-type')).to.equal('application/json; charset=UTF-8');
    expect(await response.json()).to.deep.equal({
      message: 'User with the requested ID could not be found.',
      code: 404,
      type: 'user_not_found',
      version: '1.9.6',
    });
  });

  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PUT', '/ping'],
    ['GET', '//account'],
    ['GET', '/users/a/b/c'],
    ['GET', '/../users'],
  ] as const) {
    it(`does not support ${method} ${path}`, async () => {
      expect(await (await call(method, path)).json()).to.include({
        code: 404,
        type: 'general_route_not_found',
      });
    });
  }

  it('answers a ping in plain text, a health check in JSON, and a deletion without a body', async () => {
    const ping = await call('GET', '/ping');
    expect(ping.headers.get('content-type')).to.equal('text/plain; charset=UTF-8');
    expect(await ping.text()).to.equal('Pong!');
    expect(await (await call('GET', '/health')).json()).to.deep.equal({
      name: 'http',
      ping: 0,
      status: 'pass',
    });

    sandbox.store.addUser('gone', 'gone@example.org');
    const gone = await call('DELETE', '/users/gone', '{}');
    expect(gone.status).to.equal(204);
    expect(gone.headers.get('content-type')).to.equal(null);
  });

  for (const body of ['{"userId":', '"text"', '7', 'null', 'userId=a']) {
    it(`refuses the body ${body}, which is not a JSON object`, async () => {
      const response = await call('POST', '/users', body);

      expect(response.status).to.equal(400);
      expect(await response.json()).to.include({
        type: 'general_argument_invalid',
        message: 'Invalid JSON body.',
      });
    });
  }

  it('answers a malformed path with an error', async () => {
    expect(await (await call('GET', '/users/%E0%A4%A')).json()).to.include({
      code: 500,
      type: 'general_unknown',
    });
  });

  it('survives a client that disconnects in the middle of a body', async () => {
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    process.on('unhandledRejection', note);
    const upload = request(`${sandbox.endpoint}/users`, {
      method: 'POST',
      headers: { 'content-length': '100' },
    });
    const isGone = new Promise((resolve) => upload.on('close', resolve));
    upload.on('error', () => undefined);
    upload.write('{"userId":', () => upload.destroy());
    await isGone;

    // The server has noticed the disconnect by its next answer, and an unhandled rejection appears a turn later.
    for (let turn = 0; turn < 5; turn += 1) expect((await call('GET', '/ping')).status).to.equal(200);
    process.off('unhandledRejection', note);
    expect(failures).to.deep.equal([]);
  });
});

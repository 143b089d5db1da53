import { expect } from 'chai';
import { request } from 'node:http';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { asGuest, exceptionOf, refusalOf, signIn, withKey, withSession } from './clients.js';

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

  it('answers a ping in plain text, and a deletion without a body', async () => {
    const ping = await call('GET', '/ping');
    expect(ping.headers.get('content-type')).to.equal('text/plain; charset=UTF-8');
    expect(await ping.text()).to.equal('Pong!');

    sandbox.store.addUser('gone', 'gone@example.org');
    const gone = await call('DELETE', '/users/gone', '{}');
    expect(gone.status).to.equal(204);
    expect(gone.headers.get('content-type')).to.equal(null);
  });

  for (const body of ['{"userId":', '"text"', '7', 'null', 'userId=a']) {
    it(`refuses the body ${body}, which is not a JSON object`, async () => {
      const response = await call('POST', '/account/tokens/magic-url', body);

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
    const upload = request(`${sandbox.endpoint}/account/tokens/magic-url`, {
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

import { expect } from 'chai';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { createHostApp } from '../../../examples/express-host.js';
import { sessionHandle } from '../../../src/sveltekit.js';
import { createAuthService, type AuthServiceConfig } from '../../../src/index.js';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { closeServer, listen } from '../../support/start-service.js';

describe('A host application with the auth service and its hooks', () => {
  let appwrite: AppwriteSandbox;
  let server: Server;
  let client: SignInClient;
  let config: AuthServiceConfig;

  beforeEach(async () => {
    appwrite = await startAppwriteSandbox();
    server = createServer();
    const url = await listen(server);
    config = {
      appwrite: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
      loginUrl: `${url}/login`,
      domainValidation: { allowedDomainsRegexp: 'example\\.org' },
      signupFloorMs: 0,
      sessionCheckSeconds: 0,
    };
    server.on('request', createHostApp(config));
    client = new SignInClient(url);
  });
  afterEach(async () => {
    await closeServer(server);
    await appwrite.close();
  });

  async function signIn(): Promise<Response> {
    await client.post('/api/v1/auth/signup', { email: 'ada@example.org' });
    await new Promise((resolve) => setImmediate(resolve));
    return client.send(appwrite.mails[0]?.link ?? '');
  }

  it('signs a person in and out, and admits them in between', async () => {
    expect(await client.status('/')).to.equal(200);
    expect(await client.status('/mine')).to.equal(401);

    const answer = await signIn();
    expect(answer.headers.get('location')).to.equal('/mine');
    expect(await (await client.send('/mine')).json()).to.deep.equal({ hello: 'ada@example.org' });
    expect(await client.status('/api/v1/auth/me')).to.equal(200);

    expect((await client.post('/api/v1/auth/logout')).status).to.equal(200);
    expect(await client.status('/mine')).to.equal(401);
    expect((await client.post('/api/v1/auth/logout')).status, 'without a cookie').to.equal(401);
  });

  it('refuses a route whose scope a session lacks, with a problem document', async () => {
    await signIn();

    const answer = await client.send('/records');

    expect(answer.status).to.equal(403);
    expect(answer.headers.get('content-type')).to.include('application/problem+json');
    expect(await answer.json()).to.include({ code: 'insufficient_scope' });
  });

  it('SESS-06: fails closed while the identity backend is down', async () => {
    await signIn();
    await appwrite.close();

    const answer = await client.send('/mine');

    expect(answer.status).to.equal(503);
    expect(((await answer.json()) as { code: string }).code).to.equal('identity_unavailable');
    appwrite = await startAppwriteSandbox();
  });

  it('LOGIN-11: asks before a link replaces the session of another account', async () => {
    await signIn();
    await new SignInClient(client.base).post('/api/v1/auth/signup', { email: 'grace@example.org' });
    await new Promise((resolve) => setImmediate(resolve));
    const link = appwrite.mails.find(({ to }) => to === 'grace@example.org')?.link ?? '';

    const page = await client.send(link, { headers: { accept: 'text/html' } });
    expect([page.status, (await page.text()).includes('g•••@example.org')]).to.deep.equal([200, true]);
    expect((await client.send(link)).status).to.equal(409);
    expect(await (await client.send('/mine')).json()).to.deep.equal({ hello: 'ada@example.org' });

    const fields = new URL(link).searchParams.toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await client.post('/login/confirm', fields, form)).status).to.equal(303);
    expect(await (await client.send('/mine')).json()).to.deep.equal({ hello: 'grace@example.org' });
  });

  it('refuses requests from another site, a missing address and a link without parameters', async () => {
    const foreign = await client.post(
      '/api/v1/auth/signup',
      { email: 'ada@example.org' },
      { 'sec-fetch-site': 'cross-site' },
    );
    const empty = await client.post('/api/v1/auth/signup', {});

    expect([foreign.status, empty.status]).to.deep.equal([403, 400]);
    expect(await client.status('/login')).to.equal(401);
    expect((await client.send('/login?userId=a', { method: 'HEAD' })).status).to.equal(204);
  });

  it('works with the cookies of SvelteKit', async () => {
    await signIn();
    const jar = new Map(client.cookies);
    const cookies = {
      get: (name: string) => decodeURIComponent(jar.get(name) ?? '') || undefined,
      set: (name: string, value: string) => void jar.set(name, value),
      delete: (name: string) => void jar.delete(name),
    };
    const event = {
      cookies,
      url: new URL('http://localhost/'),
      locals: {} as { user?: { email: string } | null },
    };

    await sessionHandle(createAuthService(config))({ event: event as never, resolve: () => undefined });

    expect(event.locals.user?.email).to.equal('ada@example.org');
  });

  it('cannot make a SvelteKit hook without an authentication service', () => {
    expect(() => sessionHandle({} as never))
      .to.throw(/auth must be an authentication service/)
      .with.property('code', 'invalid_configuration');
  });
});

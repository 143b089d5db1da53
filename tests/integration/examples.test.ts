import type { RequestEvent } from '@sveltejs/kit';
import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { serveProject } from '../../examples/embedded-service.js';
import { startAppwriteSandbox, type AppwriteSandbox } from '../../src/sandbox/appwrite/appwrite-sandbox.js';
import { createApiKey } from '../../src/services/access/api-key.js';
import { MemoryCookies } from '../support/memory-cookies.js';
import { startTestSandbox } from '../support/start-sandbox.js';
import { closeServer } from '../support/start-service.js';

describe('The example of an embedded service', () => {
  it('serves the project only to callers with the key', async () => {
    const sandbox = await startTestSandbox();
    const key = createApiKey();
    const server = await serveProject(sandbox.url, sandbox.token, key);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/project/version`;

    const [withKey, without] = await Promise.all([
      fetch(url, { headers: { authorization: `Bearer ${key}` } }),
      fetch(url),
    ]);

    expect(withKey.status).to.equal(200);
    expect(without.status).to.equal(401);
    await closeServer(server);
    await sandbox.close();
  });
});

describe('The example of a SvelteKit application', () => {
  let appwrite: AppwriteSandbox;
  const kept = { ...process.env };
  before(async () => {
    appwrite = await startAppwriteSandbox();
    Object.assign(process.env, {
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: 'http://localhost:5173/login',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
    });
  });
  after(async () => {
    process.env = kept;
    await appwrite.close();
  });

  /** The parts of a SvelteKit event that the example reads. */
  const eventOf = (url: string, cookies: MemoryCookies, headers: Record<string, string> = {}): RequestEvent =>
    ({
      cookies,
      locals: {},
      request: new Request(url, { headers }),
      url: new URL(url),
    }) as unknown as RequestEvent;

  it('signs a person in, and identifies them in later requests', async () => {
    const [{ auth }, { GET }, { handle }] = await Promise.all([
      import('../../examples/sveltekit/auth.js'),
      import('../../examples/sveltekit/login.js'),
      import('../../examples/sveltekit/hooks.server.js'),
    ]);
    const cookies = new MemoryCookies();
    await auth.signupWithEmail('ada@example.org', cookies);
    await new Promise((resolve) => setImmediate(resolve));
    const link = appwrite.mails[0]?.link ?? '';

    const prefetched = await GET(eventOf(link, cookies, { 'sec-purpose': 'prefetch' }));
    const opened = await Promise.resolve(GET(eventOf(link, cookies) as never)).catch(
      (thrown: unknown) => thrown,
    );
    const event = eventOf('http://localhost:5173/', cookies);
    await handle({ event, resolve: () => new Response() });

    expect(prefetched.status).to.equal(204);
    expect(opened).to.include({ status: 302, location: '/dashboard' });
    expect(event.locals.user?.email).to.equal('ada@example.org');
  });
});

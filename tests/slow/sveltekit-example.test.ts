import type { Server, SSRManifest } from '@sveltejs/kit';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startAppwriteSandbox, type AppwriteSandbox } from '../../src/sandbox/appwrite/appwrite-sandbox.js';
import { until } from '../support/until.js';
import { packPackage, type PackedPackage } from '../support/packed-package.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ORIGIN = 'http://localhost:5173';

/** What `npx sv create` adds to the files of the example. */
const SCAFFOLD = {
  'package.json': '{ "type": "module", "private": true }',
  'svelte.config.js': 'export default {};',
  'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite'; export default { plugins: [sveltekit()] };`,
  'src/app.html': '<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>',
};

describe('The example of a SvelteKit application', function () {
  this.timeout(180_000);
  const kept = { ...process.env };
  let packed: PackedPackage;
  let appwrite: AppwriteSandbox;
  let server: Server;
  const cookies = new Map<string, string>();

  before(async () => {
    appwrite = await startAppwriteSandbox();
    packed = packPackage();
    cpSync(join(root, 'examples/sveltekit'), packed.project, { recursive: true });
    for (const [name, text] of Object.entries(SCAFFOLD)) writeFileSync(join(packed.project, name), text);
    mkdirSync(join(packed.project, 'node_modules/@sveltejs'), { recursive: true });
    for (const name of ['vite', 'svelte', '@sveltejs/kit', '@sveltejs/vite-plugin-svelte'])
      symlinkSync(join(root, 'tests/slow/node_modules', name), join(packed.project, 'node_modules', name));
    const vite = join(root, 'tests/slow/node_modules/vite/bin/vite.js');
    const options = { cwd: packed.project, env: { PATH: process.env.PATH }, stdio: 'pipe' } as const;
    execFileSync(process.execPath, [vite, 'build'], options); // without the secrets

    Object.assign(process.env, {
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: `${ORIGIN}/login`,
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
    });
    server = await loadServer();
    await server.init({ env: {} });
  });
  after(async () => {
    process.env = kept;
    await appwrite.close();
    packed.remove();
  });
  beforeEach(() => cookies.clear());

  async function loadServer(): Promise<Server> {
    const built = (name: string) =>
      import(pathToFileURL(join(packed.project, '.svelte-kit/output/server', name)).href) as Promise<unknown>;
    const [index, { manifest }] = (await Promise.all([built('index.js'), built('manifest.js')])) as [
      { Server: typeof Server },
      { manifest: SSRManifest },
    ];
    return new index.Server(manifest);
  }

  /** Sends a request as a browser does, and keeps the cookies of the answer. */
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ accept: 'text/html', origin: ORIGIN, ...(init.headers as object) });
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const request = new Request(new URL(path, ORIGIN), { ...init, headers });
    const answer = await server.respond(request, { getClientAddress: () => '127.0.0.1' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  }
  const requestLink = (email: string): Promise<Response> =>
    send('/login', { method: 'POST', body: new URLSearchParams({ email }) });
  const mailedLink = (email: string): Promise<string> =>
    until(() => appwrite.mails.find(({ to }) => to === email)?.link);

  it('is built without secrets, signs a person in, and identifies them in later requests', async () => {
    expect(await (await send('/login')).text()).to.include('<form method="POST" action="/login">');
    expect(await (await requestLink('ada@example.org')).text()).to.include('Open the link');
    const link = await mailedLink('ada@example.org');

    const lookedAt = [
      await send(link, { headers: { 'sec-purpose': 'prefetch' } }),
      await send(link, { method: 'HEAD' }),
    ];
    const opened = await send(link);

    expect(lookedAt.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect([opened.status, opened.headers.get('location')]).to.deep.equal([302, '/dashboard']);
    expect(await (await send('/dashboard')).text()).to.include('You are signed in as ada@example.org.');
  });

  it('sends people who are not signed in to the form', async () => {
    const answer = await send('/dashboard');

    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, '/login']);
  });

  it('says in the form which addresses are refused', async () => {
    const answer = await requestLink('ada@elsewhere.example');

    expect(answer.status).to.equal(403);
    expect(await answer.text()).to.match(/role="alert">[^<]*domain/i);
  });

  it('shows a link that is not valid as a page with the status of the error', async () => {
    const answer = await send('/login?userId=ada&secret=wrong');

    expect(answer.status).to.equal(401);
    expect(await answer.text()).to.match(/<h1>[^<]*link[^<]*<\/h1>/i);
  });

  it('SESS-06: fails closed while the identity backend is down', async () => {
    await requestLink('eve@example.org');
    await send(await mailedLink('eve@example.org'));
    const endpoint = new URL(appwrite.endpoint);
    await appwrite.close();

    const answer = await send('/dashboard');

    expect(answer.status).to.equal(503);
    expect(await answer.text()).not.to.include(endpoint.port);
    appwrite = await startAppwriteSandbox();
  });
});

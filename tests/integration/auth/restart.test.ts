import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startWholeService } from '../../support/start-whole-service.js';

const ADA = 'ada@example.org';

describe('Links and sessions across a restart of the server', () => {
  let redcap: Awaited<ReturnType<typeof startTestSandbox>>;
  let appwrite: AppwriteSandbox;
  let service: RunningServer;
  /** Links lead to one public address, as behind a proxy; the tests follow them to the current port of the server. */
  const loginUrl = 'http://localhost/login';

  before(async () => {
    redcap = await startTestSandbox();
    appwrite = await startAppwriteSandbox();
  });
  after(async () => {
    await appwrite.close();
    await redcap.close();
  });
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.stop());

  function start(environment: Record<string, string> = {}): Promise<RunningServer> {
    return startWholeService({
      CAPTURE_API_URL: redcap.url,
      CAPTURE_API_TOKEN: redcap.token,
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: loginUrl,
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
      ...environment,
    });
  }

  async function restart(environment?: Record<string, string>): Promise<void> {
    await service.stop();
    service = await start(environment);
  }

  /** Requests a link, and returns its path and query. */
  async function link(): Promise<URL> {
    const mails = appwrite.mails.length;
    const answer = await new SignInClient(service.url).post('/api/v1/auth/signup', { email: ADA });
    expect(answer.status).to.equal(200);
    while (appwrite.mails.length === mails) await new Promise(setImmediate);
    return new URL(appwrite.mails.at(-1)?.link ?? '');
  }

  async function open({ pathname, search }: URL): Promise<number> {
    return (await new SignInClient(service.url).send(pathname + search)).status;
  }

  it('LOGIN-06: a link without its state is refused before and after a restart', async () => {
    const whole = await link();
    const stripped = new URL(whole);
    stripped.searchParams.delete('st');

    expect(await open(stripped)).to.equal(401);
    await restart();
    expect(await open(stripped)).to.equal(401);
    expect(await open(whole)).to.equal(302);
  });

  it('LOGIN-06: a link with an empty state is refused', async () => {
    const emptied = await link();
    emptied.searchParams.set('st', '');

    expect(await open(emptied)).to.equal(401);
  });

  it('LOGIN-05: a used link stays used', async () => {
    const used = await link();
    await open(used);

    await restart();

    expect(await open(used)).to.equal(401);
  });

  it('accepts links requested elsewhere if configured to', async () => {
    const stripped = await link();
    stripped.searchParams.delete('st');

    await restart({ SIGNED_LINKS_ONLY: 'false' });

    expect(await open(stripped)).to.equal(302);
  });
});

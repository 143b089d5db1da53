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
  /** Links lead to one public address, as they do behind a proxy; tests follow them to wherever the server listens. */
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

  /** Asks for a link; answers its path and query. */
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

  it('LOGIN-06: a link that lost its state is refused, before a restart and after it', async () => {
    const whole = await link();
    const stripped = new URL(whole);
    stripped.searchParams.delete('st');

    expect(await open(stripped)).to.equal(401);
    await restart();
    expect(await open(stripped)).to.equal(401);
    expect(await open(whole)).to.equal(302);
  });

  it('LOGIN-06: a link whose state is empty is refused as well', async () => {
    const emptied = await link();
    emptied.searchParams.set('st', '');

    expect(await open(emptied)).to.equal(401);
  });

  it('LOGIN-05: a link that was used stays used', async () => {
    const used = await link();
    await open(used);

    await restart();

    expect(await open(used)).to.equal(401);
  });

  it('takes links that were asked for elsewhere when the operator says so', async () => {
    const stripped = await link();
    stripped.searchParams.delete('st');

    await restart({ SIGNED_LINKS_ONLY: 'false' });

    expect(await open(stripped)).to.equal(302);
  });
});

import { expect } from 'chai';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runServer, type LogLine, type ServerProcess } from '../../support/run-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { closeServer, listen } from '../../support/start-service.js';

const WRONG_TOKEN = 'F'.repeat(32);

describe('A service that has started', () => {
  let redcap: RedcapSandbox & { readonly token: string };
  let appwrite: AppwriteSandbox;
  let server: ServerProcess | undefined;
  let silent: http.Server | undefined;
  before(async () => {
    [redcap, appwrite] = await Promise.all([startTestSandbox(), startAppwriteSandbox()]);
  });
  after(() => Promise.all([redcap.close(), appwrite.close()]));
  afterEach(async () => {
    server?.kill('SIGKILL');
    await server?.exited;
    server = undefined;
    if (silent !== undefined) await closeServer(silent);
    silent = undefined;
  });

  async function start(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
    server = await runServer({
      CAPTURE_API_URL: redcap.url,
      CAPTURE_API_TOKEN: redcap.token,
      CAPTURE_RETRIES: '0',
      ...environment,
    });
    return server;
  }

  /** Waits for the line that reports the checks at start. */
  async function reportOf({ log }: ServerProcess): Promise<LogLine> {
    for (;;) {
      const line = log.find(({ msg = '' }) => msg.startsWith('REDCap '));
      if (line !== undefined) return line;
      await setTimeout(10);
    }
  }

  it('reports which version of REDCap answered', async () => {
    const { msg } = await reportOf(await start({}));

    expect(msg).to.equal('REDCap answers: version 16.1.9.');
  });

  it('reports that the token was refused, without showing it', async () => {
    const running = await start({ CAPTURE_API_TOKEN: WRONG_TOKEN });

    const { msg } = await reportOf(running);

    expect(msg).to.match(/^REDCap cannot be used: .*CAPTURE_API_TOKEN/);
    expect(JSON.stringify(running.log)).to.not.include(WRONG_TOKEN);
    expect((await fetch(`${running.url}/health`)).status).to.equal(200);
  });

  it('reports that nothing answers at the address', async () => {
    const gone = http.createServer();
    const url = await listen(gone);
    await closeServer(gone);

    const { msg } = await reportOf(await start({ CAPTURE_API_URL: `${url}/api/` }));

    expect(msg).to.match(/^REDCap cannot be used: /);
  });

  it('reports what Appwrite answered, in the same line', async () => {
    const signIn = {
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      LOGIN_URL: 'http://localhost:3000/login',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
    };
    const good = await reportOf(await start({ ...signIn, APPWRITE_API_KEY: appwrite.apiKey }));
    server?.kill('SIGKILL');
    const wrong = await reportOf(await start({ ...signIn, APPWRITE_API_KEY: 'standard_wrong' }));

    expect(good.msg).to.equal(
      'REDCap answers: version 16.1.9. Appwrite answers: it knows the project and the key.',
    );
    expect(wrong.msg).to.match(/^REDCap answers: version 16.1.9. Appwrite cannot be used: /);
  });

  it('serves and stops while REDCap has not answered, and reports nothing', async () => {
    silent = http.createServer(() => undefined);
    const asked = once(silent, 'request');
    const running = await start({ CAPTURE_API_URL: `${await listen(silent)}/api/` });
    await asked;

    expect((await fetch(`${running.url}/health`)).status).to.equal(200);
    running.kill('SIGTERM');

    expect(await running.exited).to.equal(0);
    expect(running.log.filter(({ msg = '' }) => msg.includes('REDCap '))).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { builtFile } from '../../support/built-file.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const ADDRESS = 'heap.sentinel@example.org';

describe('After the deletion of an account', function () {
  this.timeout(120_000);
  let redcap: Awaited<ReturnType<typeof startTestSandbox>>;
  let appwrite: AppwriteSandbox;
  let directory: string;
  let child: ChildProcess;
  let output: string;
  let url: string;

  before(async () => {
    redcap = await startTestSandbox();
    appwrite = await startAppwriteSandbox();
    directory = await mkdtemp(join(tmpdir(), 'crf-heap-'));
    [child, output] = [startChild(), ''];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    while (!output.includes('"listening"')) {
      if (child.exitCode !== null) throw new Error(output);
      await delay(20);
    }
    url =
      /"url":"([^"]+)"[^\n]*"listening"|"listening"[^\n]*"url":"([^"]+)"/
        .exec(output)
        ?.slice(1)
        .find(Boolean) ?? '';
  });
  after(async () => {
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    await rm(directory, { recursive: true });
    await appwrite.close();
    await redcap.close();
  });

  /** Starts only the server; the sandboxes, which keep mails and accounts, live in this process. */
  function startChild(): ChildProcess {
    return spawn(
      process.execPath,
      ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${directory}`, builtFile('bin/server.js')],
      {
        cwd: directory,
        env: {
          PATH: process.env.PATH,
          PORT: '0',
          LOG_FORMAT: 'json',
          LOG_LEVEL: 'trace',
          CAPTURE_API_URL: redcap.url,
          CAPTURE_API_TOKEN: redcap.token,
          APPWRITE_ENDPOINT: appwrite.endpoint,
          APPWRITE_PROJECT_ID: appwrite.projectId,
          APPWRITE_API_KEY: appwrite.apiKey,
          LOGIN_URL: 'http://localhost/login',
          ALLOWED_DOMAINS_REGEXP: 'example\\.org',
          ...NO_LOAD_SHEDDING,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  }

  /** @returns how often the address occurs in the texts that the process holds */
  async function addressesInMemory(): Promise<number> {
    const known = new Set(await readdir(directory));
    child.kill('SIGUSR2');
    for (;;) {
      const name = (await readdir(directory)).find((file) => !known.has(file));
      const snapshot = name === undefined ? '' : await readFile(join(directory, name), 'utf8');
      if (snapshot.trimEnd().endsWith(']}')) {
        const { strings } = JSON.parse(snapshot) as { strings: string[] };
        return strings.filter((text) => text.includes('heap.sentinel')).length;
      }
      await delay(100);
    }
  }

  async function link(browser: SignInClient): Promise<string> {
    const mails = appwrite.mails.length;
    const answer = await browser.post('/api/v1/auth/signup', { email: ADDRESS });
    expect(answer.status).to.equal(200);
    while (appwrite.mails.length === mails) await new Promise(setImmediate);
    const { pathname, search } = new URL(appwrite.mails.at(-1)?.link ?? '');
    return pathname + search;
  }

  it('ACCT-03, ACCT-04: memory and log do not contain the address, and old cookies and links are refused', async () => {
    const browser = new SignInClient(url);
    const used = await link(browser);
    expect(await browser.status(used)).to.equal(302);
    expect(await browser.status('/api/v1/auth/me')).to.equal(200);
    const cookies = new Map(browser.cookies);
    const id = appwrite.store.userByEmail(ADDRESS)?.id;
    expect(await addressesInMemory(), 'while the session is believed').to.be.greaterThan(0);

    const headers = { 'sec-fetch-site': 'same-origin' };
    const deleted = await browser.send('/api/v1/auth/account', { method: 'DELETE', headers });

    expect(deleted.status).to.equal(200);
    expect(appwrite.store.userByEmail(ADDRESS)).to.equal(undefined);
    // Requests of other people overwrite what connections and parsers still hold of earlier requests.
    for (let count = 0; count < 5; count += 1) {
      const other = new SignInClient(url);
      await other.status('/api/v1/auth/me');
      await other.post('/api/v1/auth/signup', { email: `other${count}@example.org` });
    }
    expect(await addressesInMemory(), 'in memory').to.equal(0);
    expect(output, 'in the log').to.not.include('heap.sentinel');

    const old = new SignInClient(url);
    for (const [name, value] of cookies) old.cookies.set(name, value);
    expect(await old.status('/api/v1/auth/me'), 'the old cookie').to.equal(401);
    expect(await new SignInClient(url).status(used), 'the old link').to.equal(401);
    expect(appwrite.store.userByEmail(ADDRESS)).to.equal(undefined);
    expect(id).to.be.a('string');
  });
});

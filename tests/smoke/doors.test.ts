import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { packPackage } from '../support/packed-package.js';
import { spawnCrf } from '../support/run-crf.js';
import { runServer, type ServerProcess } from '../support/run-server.js';

/** One test for each door of the built package; all others of a door are in `npm run test:all`. */
describe('Through each door of the built package', function () {
  this.timeout(120_000);
  let server: ServerProcess;
  before(async () => {
    server = await runServer();
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.exited;
  });

  it('crf exports the records of the sandbox', async () => {
    const { exitCode, stdout } = await spawnCrf([
      'export',
      '--fields',
      'age',
      '--limit',
      '2',
      '--format',
      'csv',
    ]);

    expect(exitCode).to.equal(0);
    expect(stdout.split('\n')[0]).to.match(/^record_id,.*age$/);
    expect(stdout.trim().split('\n')).to.have.length(3);
  });

  it('the server exports them over REST', async () => {
    const answer = await fetch(`${server.url}/api/v1/records?fields=age&limit=2`);
    const { data } = (await answer.json()) as { data: Record<string, string>[] };

    expect(answer.status).to.equal(200);
    expect(data.map((row) => Object.keys(row))).to.deep.equal([['age'], ['age']]);
  });

  it('the packed tarball exports them as a library', () => {
    const packed = packPackage();
    const program = `
      import { createCrfClient } from 'crf-service/client';
      import { startSandbox } from 'crf-service/sandbox';
      const sandbox = await startSandbox();
      const client = createCrfClient({ url: sandbox.url, token: sandbox.token });
      console.log((await client.exportRecords({ fields: ['age'], limit: 2 })).length);
      client.close();
      await sandbox.close();`;

    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: packed.project,
      encoding: 'utf8',
    });
    packed.remove();

    expect(stdout).to.equal('2\n', stderr);
  });

  describeWith(['chromium'], 'in a browser', () => {
    it('the start page leads to the reference', async () => {
      const browser = await startBrowser();
      const page = await browser.newPage();
      await page.goto(server.url);
      await page.click('a[href="/docs/"]');
      await page.waitForURL('**/docs/');

      expect(await page.title()).to.include('CRF Service');
      await browser.close();
    });
  });
});

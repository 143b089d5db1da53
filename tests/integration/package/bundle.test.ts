import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const fileOf = (path: string): string =>
  fileURLToPath(new URL(`../../../build/dist/${path}`, import.meta.url));
const environment = { PATH: process.env.PATH ?? '' };

describe('The bundle that `npm start` and `crf` run', function () {
  this.timeout(60_000);

  it('serves what is read from files: the document, the reference page, the style sheets, the sandbox', async () => {
    const server = spawn(process.execPath, [fileOf('bin/server.js')], {
      env: { ...environment, PORT: '0', LOG_FORMAT: 'json' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };

    const statuses: Record<string, number> = {};
    for (const path of [
      '/health',
      '/openapi.json',
      '/docs/',
      '/docs/swagger-ui-bundle.js',
      '/login',
      '/assets/pages.css',
      '/sandbox/mailbox',
      '/api/v1/project/version',
    ]) {
      const answer = await fetch(url + path);
      statuses[path] = answer.status;
      await answer.arrayBuffer();
    }
    const ended = once(server, 'exit');
    server.kill('SIGTERM');

    expect(Object.entries(statuses).filter(([, status]) => status !== 200)).to.deep.equal([]);
    expect(await ended).to.deep.equal([0, null]);
  });

  for (const args of [['--help'], ['export', '--help'], ['--version']]) {
    it(`says what the sources say: crf ${args.join(' ')}`, () => {
      const say = (script: string): string =>
        execFileSync(process.execPath, [fileOf(script), ...args], { encoding: 'utf8', env: environment });

      expect(say('bin/crf.js')).to.equal(say('src/cli/main.js'));
    });
  }

  it('brings the licence of every package in it', () => {
    expect(existsSync(fileOf('bin/THIRD-PARTY-LICENSES.txt'))).to.be.true;
    expect(readFileSync(fileOf('bin/THIRD-PARTY-LICENSES.txt'), 'utf8')).to.match(/^express \d/m);
  });
});

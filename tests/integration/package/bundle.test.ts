import { expect } from 'chai';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { builtFile } from '../../support/built-file.js';

const environment = { PATH: process.env.PATH ?? '' };

/** @returns the first line of a log with this message */
async function lineSaying(message: string, lines: Interface): Promise<{ readonly url: string }> {
  for await (const line of lines) {
    const entry = JSON.parse(line) as { readonly msg: string; readonly url: string };
    if (entry.msg === message) return entry;
  }
  throw new Error(`The log has no line that says: ${message}.`);
}

describe('The bundle that `npm start` and `crf` run', function () {
  this.timeout(60_000);

  it('serves what is read from files: the document, the reference page, the style sheets, the sandbox', async () => {
    const server = spawn(process.execPath, [builtFile('bin/server.js')], {
      // Also loads libraries that only some settings need. Nothing answers at that port.
      env: {
        ...environment,
        ...NO_LOAD_SHEDDING,
        PORT: '0',
        ADMIN_PORT: '0',
        LOG_FORMAT: 'json',
        REDIS_URL: 'redis://127.0.0.1:1',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { url } = await lineSaying('listening', createInterface(server.stdout));

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
    it(`prints the same as the sources: crf ${args.join(' ')}`, () => {
      const say = (script: string): string =>
        execFileSync(process.execPath, [builtFile(script), ...args], { encoding: 'utf8', env: environment });

      expect(say('bin/crf.js')).to.equal(say('src/cli/main.js'));
    });
  }

  describe('with lazily loaded libraries', () => {
    let folder: string;
    before(() => (folder = mkdtempSync(join(tmpdir(), 'crf-bundle-'))));
    after(() => rmSync(folder, { recursive: true }));

    /** Runs `crf` with a file. */
    function run(
      args: readonly string[],
      file: string,
      content: string,
    ): { status: number | null; stderr: string } {
      const path = join(folder, file);
      writeFileSync(path, content);
      const arguments_ = [builtFile('bin/crf.js'), ...args, path];
      return spawnSync(process.execPath, arguments_, { encoding: 'utf8', env: environment });
    }

    it('uploads a file, and detects its type', () => {
      const put = ['--sandbox', 'files', 'put', 'COHORT-2026-PARTICIPANT-0001', 'consent_form'];

      const { status, stderr } = run(put, 'consent.pdf', 'a consent');

      expect(stderr).to.not.include('unexpectedly');
      expect(status).to.equal(0);
    });

    it('reads XML', () => {
      const { status, stderr } = run(['sandbox', '--xml'], 'project.xml', '<ODM><Study>');

      expect(stderr).to.include('well-formed XML');
      expect(status).to.equal(2);
    });
  });

  it('includes the licence of every bundled package', () => {
    expect(existsSync(builtFile('bin/THIRD-PARTY-LICENSES.txt'))).to.be.true;
    expect(readFileSync(builtFile('bin/THIRD-PARTY-LICENSES.txt'), 'utf8')).to.match(/^express \d/m);
  });
});

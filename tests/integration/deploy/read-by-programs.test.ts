import { expect } from 'chai';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWith, pathOf, type Program } from '../../support/needed-programs.js';
import { freePort } from '../../support/free-port.js';
import { closeServer, listen } from '../../support/start-service.js';

const pathOfFile = (file: string): string =>
  fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));

describe('Files of deploy/, read by their programs', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-deploy-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** @returns the output of the program; rejects if it fails */
  async function run(program: Program, ...args: string[]): Promise<string> {
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const { stdout, stderr } = await promisify(execFile)(pathOf(program) ?? '', args, { env });
    return stdout + stderr;
  }

  describeWith(['caddy'], 'the Caddyfile', () => {
    const file = pathOfFile('caddy/Caddyfile');

    it('is valid, without a warning', async () => {
      const said = await run('caddy', 'validate', '--adapter', 'caddyfile', '--config', file);

      expect(said).to.include('Valid configuration').and.not.include('"level":"warn"');
    });

    it('is formatted as Caddy formats it', async () => {
      expect(await run('caddy', 'fmt', file)).to.equal(await readFile(file, 'utf8'));
    });
  });

  describeWith(['caddy'], 'Caddy with this file', () => {
    let caddy: ChildProcess;
    let received: IncomingMessage | undefined;
    let url: string;
    const service = createServer((message, response) => {
      received = message;
      message.resume().once('end', () => response.end('from the service'));
    });

    before(async () => {
      const upstream = new URL(await listen(service));
      url = `http://127.0.0.1:${await freePort()}`;
      const text = await readFile(pathOfFile('caddy/Caddyfile'), 'utf8');
      const config = join(folder, 'Caddyfile');
      // Without TLS, because no authority issues a certificate for a local name.
      await writeFile(
        config,
        `{\n\tadmin off\n}\n${text.replace('crf.example.org', url).replace('crf:3000', upstream.host)}`,
      );
      caddy = spawn(pathOf('caddy') ?? '', ['run', '--adapter', 'caddyfile', '--config', config], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      });
      for await (const line of createInterface(caddy.stderr as Readable))
        if (line.includes('serving initial configuration')) break;
    });
    after(async () => {
      const ended = once(caddy, 'exit');
      caddy.kill();
      await ended;
      await closeServer(service);
    });

    it('RATE-03: passes on only the address of the client, whatever the client sends', async () => {
      const answer = await fetch(`${url}/health`, { headers: { 'x-forwarded-for': '10.0.0.1' } });

      expect(await answer.text()).to.equal('from the service');
      expect(received?.headers).to.include({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        host: new URL(url).host,
      });
    });
  });

  describeWith(['logrotate'], 'the logrotate configuration', () => {
    it('rotates the audit log daily', async () => {
      const said = await run('logrotate', '-d', '-s', join(folder, 'state'), pathOfFile('logrotate.conf'));

      expect(said).to.include('/audit.log  after 1 days (30 rotations)');
      expect(said).to.not.match(/^error:/m);
    });
  });

  describeWith(['systemd'], 'the systemd unit', () => {
    it('is accepted by systemd without a complaint', async () => {
      const text = await readFile(pathOfFile('systemd/crf-service@.service'), 'utf8');
      const unit = join(folder, 'crf-service@cohort.service');
      // Uses the path of Node on this machine.
      await writeFile(unit, text.replace('/usr/bin/node', process.execPath));

      expect(await run('systemd', 'verify', unit)).to.not.include('crf-service');
    });
  });
});

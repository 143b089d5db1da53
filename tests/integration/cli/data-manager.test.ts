import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { builtFile } from '../../support/built-file.js';

/** A command of the page, and its output according to the page. */
interface Step {
  readonly command: string;
  readonly output: string;
}

const page = readFileSync(new URL('../../../docs/data-manager.md', import.meta.url), 'utf8');

const steps: readonly Step[] = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...output] = text.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    }),
);

/** Matches a text in which `…` stands for anything within a line. */
function toPattern(output: string): RegExp {
  const escaped = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  return new RegExp(`^${escaped}$`);
}

const SUPER_TOKEN = DEMO_TOKEN.repeat(2);

describe("The data manager's day", function () {
  this.timeout(60_000);

  let sandbox: RedcapSandbox;
  let folder: string;
  before(async () => {
    sandbox = await startRedcapSandbox({
      study: await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }),
      superToken: SUPER_TOKEN,
    });
    folder = mkdtempSync(join(tmpdir(), 'crf-day-'));
    settings('.env', DEMO_TOKEN);
    settings('super.env', SUPER_TOKEN);
  });
  after(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function settings(file: string, token: string): void {
    const lines = [`CAPTURE_API_URL=${sandbox.url}`, `CAPTURE_API_TOKEN=${token}`, ''];
    writeFileSync(join(folder, file), lines.join('\n'), { mode: 0o600 });
  }

  /** Runs a command as a person does, in a shell, where messages and data appear in their order. */
  async function run(command: string): Promise<string> {
    const script = `crf() { "$NODE" -- "$CRF" "$@"; }\nexec 2>&1\n${command}`;
    const child = spawn('sh', ['-c', script], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        NODE: process.execPath,
        CRF: builtFile('bin/crf.js'),
        LC_ALL: 'en_US.UTF-8',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return (await child.stdout.setEncoding('utf8').toArray()).join('');
  }

  it('has commands', () => {
    expect(steps.length).to.be.greaterThan(15);
  });

  for (const { command, output } of steps)
    it(`prints what the page says: ${command}`, async () => {
      const [, given] = /^cat (\S+\.csv)$/.exec(command) ?? [];
      // What somebody has sent is there already.
      if (given !== undefined) writeFileSync(join(folder, given), `${output}\n`);

      const printed = (await run(command)).replaceAll('\r', '').trimEnd();

      expect(printed).to.match(toPattern(output));
      if (command.startsWith('crf project create')) settings('test.env', printed.split('\n').at(-1) ?? '');
    });
});

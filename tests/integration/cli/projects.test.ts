import { expect } from 'chai';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../src/server/config/settings.js';
import { startServer } from '../../../src/server/start-server.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';

describe('A file of projects', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let sandboxes: Awaited<ReturnType<typeof startTestSandbox>>[];

  before(async () => {
    const classic = classicStudy();
    const titled = (title: string) =>
      startTestSandbox({ ...classic, project: { ...classic.project, title } });
    sandboxes = await Promise.all([titled('The cohort'), titled('The trial')]);
    folder = mkdtempSync(join(tmpdir(), 'crf-projects-'));
    file = join(folder, 'projects.yaml');
    const entries = sandboxes.map(({ url, token }, at) => {
      const name = ['cohort', 'trial'][at] ?? '';
      writeFileSync(join(folder, name), token);
      return `  ${name}:\n    url: ${url}\n    tokenFile: ${name}\n`;
    });
    writeFileSync(file, `version: 1\ndefault: cohort\nprojects:\n${entries.join('')}`);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  });

  const crf = (...args: string[]) => runCrf(['--projects-file', file, ...args]);

  it('OPS-10: lets every command work with the named project, or with the default', async () => {
    const [named, byDefault] = [await crf('--project', 'trial', 'info'), await crf('info')];

    expect(named).to.include({ exitCode: 0, stderr: '' });
    expect(named.stdout).to.include('The trial').and.not.include('The cohort');
    expect(byDefault.stdout).to.include('The cohort').and.not.include('The trial');
  });

  it('OPS-10: lists the projects without the places of their tokens', async () => {
    const { exitCode, stdout } = await crf('projects', 'list', '--json');

    expect(exitCode).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal(
      sandboxes.map(({ url }, at) => ({
        name: at === 0 ? 'cohort' : 'trial',
        isDefault: at === 0,
        server: new URL(url).origin,
      })),
    );
  });

  it('OPS-10: takes the entry that crf key create prints, and lists it beside those of API_KEYS_FILE', async () => {
    const scopes = ['project:read', 'records:read'];
    const { stderr } = await crf(
      'key',
      'create',
      '--name',
      'etl',
      '--scope',
      scopes.join(),
      '--project',
      'trial',
    );
    const [, ofFile = '', , ofProjects = ''] = stderr.split('\n');
    const [withKeys, keys] = [join(folder, 'with-keys.yaml'), join(folder, 'keys')];
    writeFileSync(withKeys, `${readFileSync(file, 'utf8')}keys:\n${ofProjects}\n`);
    writeFileSync(
      keys,
      ofFile.replace('etl', 'portal').replace(/:\w{64}:/, `:${'0'.repeat(64)}:`) + ':2999-12-31',
    );

    const environment = { API_KEYS_FILE: keys };
    const { exitCode, stdout } = await runCrf(['key', 'list', '--json', '--projects-file', withKeys], {
      environment,
    });

    expect(exitCode).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal([
      { name: 'portal', scopes, projects: ['cohort'], expires: '2999-12-31', from: 'API_KEYS_FILE' },
      { name: 'etl', scopes, projects: ['trial'], from: 'PROJECTS_FILE' },
    ]);
    expect(stdout).to.not.match(/[0-9a-f]{64}/);
  });

  describe('crf key revoke', () => {
    const entry = (name: string, digit: string): string => `${name}:${digit.repeat(64)}:project:read`;
    const listed = (name: string, digit: string): string =>
      `  - { name: ${name}, sha256: ${digit.repeat(64)}, projects: [trial], scopes: [project:read] }`;
    const put = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o640 });
      return join(folder, name);
    };
    const revoke = (name: string, environment: Readonly<Record<string, string>>, ...more: string[]) =>
      runCrf(['key', 'revoke', name, '--yes', ...more], { environment });

    it('OPS-08: takes every entry of the key out of API_KEYS_FILE, and keeps the others as they are', async () => {
      const [portal, old] = [entry('portal', '1'), entry('portal', '2')];
      const keys = put('revoked-keys', `${portal}\n${entry('etl', '3')};${old},${entry('portal-2', '4')}\n`);
      const { exitCode, stderr } = await revoke('portal', { API_KEYS_FILE: keys });

      expect([exitCode, stderr]).to.deep.equal([
        0,
        `${keys} does not have the key portal any more. A running service reads the file every two seconds, and then refuses the key.\n`,
      ]);
      expect(readFileSync(keys, 'utf8')).to.equal(`${entry('etl', '3')};${entry('portal-2', '4')}\n`);
      expect(statSync(keys).mode & 0o777).to.equal(0o640);
      expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).to.deep.equal([]);
    });

    it('OPS-08: takes it out of PROJECTS_FILE, through a link, and keeps the comments', async () => {
      const text = `${readFileSync(file, 'utf8')}# The keys\nkeys:\n${listed('portal', 'a')} # by mail\n  # of the night\n${listed('etl', 'b')}\n# The end\n`;
      const real = put('revoked.yaml', text);
      symlinkSync(real, join(folder, 'link.yaml'));
      const { exitCode, stdout, stderr } = await revoke(
        'portal',
        { PROJECTS_FILE: join(folder, 'link.yaml') },
        '--json',
      );

      expect(exitCode, stderr).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.equal({ name: 'portal', revoked: ['PROJECTS_FILE'], remaining: [] });
      expect(stderr).to.include('Send SIGHUP to each process');
      expect(readFileSync(real, 'utf8')).to.equal(text.replace(`${listed('portal', 'a')} # by mail\n`, ''));
    });

    for (const [what, before, after] of [
      [
        'over several lines',
        `keys:\n  # one\n  -\n    name: portal\n    sha256: ${'a'.repeat(64)}\n    projects:\n      - trial # only\n    scopes: [project:read]\n  # two\n${listed('etl', 'b')}`,
        `keys:\n  # one\n  # two\n${listed('etl', 'b')}`,
      ],
      [
        'in one line with all others',
        `keys: [${listed('etl', 'b').slice(4)}, ${listed('portal', 'a').slice(4)}] # all`,
        `keys: [ ${listed('etl', 'b')
          .slice(4)
          .replaceAll(/\[(\S+)\]/g, '[ $1 ]')} ] # all\n`,
      ],
    ] as const)
      it(`takes a key out of PROJECTS_FILE that stands there ${what}`, async () => {
        const projects = put('lines.yaml', `${readFileSync(file, 'utf8')}${before}`);
        const { exitCode, stderr } = await revoke('portal', { PROJECTS_FILE: projects });

        expect(exitCode, stderr).to.equal(0);
        expect(readFileSync(projects, 'utf8')).to.equal(`${readFileSync(file, 'utf8')}${after}`);
      });

    it('says which entry to take out of API_KEYS, which it cannot change', async () => {
      const keys = [entry('etl', '1'), entry('portal', '2')].join();
      const { exitCode, stdout, stderr } = await revoke('portal', { API_KEYS: keys }, '--json');

      expect(exitCode).to.equal(1);
      expect(stderr).to.include('take out entry 2, which begins with portal:, where the service gets its');
      expect(JSON.parse(stdout)).to.deep.equal({ name: 'portal', revoked: [], remaining: ['API_KEYS'] });
    });

    it('refuses the name of no key, and the last key, whose end would not be noticed or open the service', async () => {
      const keys = put('last-key', `${entry('etl', '1')}\n`);
      const [unknown, last] = [
        await revoke('elt', { API_KEYS_FILE: keys }),
        await revoke('etl', { API_KEYS_FILE: keys }),
      ];
      const projects = put('last.yaml', `${readFileSync(file, 'utf8')}keys:\n${listed('etl', 'b')}\n`);
      const ofProjects = await revoke('etl', { PROJECTS_FILE: projects });
      const asked = await runCrf(['key', 'revoke', 'portal'], {
        environment: { API_KEYS_FILE: put('asked', `${entry('etl', '1')}\n${entry('portal', '2')}\n`) },
      });

      expect([unknown.exitCode, unknown.stderr]).to.deep.equal([
        1,
        'elt is not an API key of this service; did you mean etl?\n',
      ]);
      for (const { exitCode, stderr } of [last, ofProjects]) {
        expect(exitCode).to.equal(1);
        expect(stderr).to.include('etl is the last key there');
      }
      expect(asked.exitCode).to.equal(2);
      expect(asked.stderr).to.include('Take 1 entry of the key portal out of').and.include('--yes');
      expect(readFileSync(keys, 'utf8')).to.equal(`${entry('etl', '1')}\n`);
    });
  });

  it('OPS-10: checks every project, also after one that fails, and exits with its code', async () => {
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(join(folder, 'wrong'), 'A'.repeat(32));
    writeFileSync(
      wrong,
      `version: 1\nprojects:\n  first:\n    url: ${sandboxes[0]?.url}\n    tokenFile: wrong\n  second:\n    url: ${sandboxes[1]?.url}\n    tokenFile: trial\n`,
    );

    const [all, unnamed, named, broken] = [
      await crf('projects', 'check'),
      await crf('check'),
      await crf('--project', 'trial', 'check'),
      await runCrf(['--projects-file', wrong, 'projects', 'check', '--json']),
    ];

    expect(all.exitCode).to.equal(0);
    expect(all.stdout).to.match(/^cohort +ok .*one record was read.*\ntrial +ok /m);
    expect(unnamed).to.deep.equal(all);
    expect(named.stdout).to.include('All checks passed.').and.not.include('cohort');
    expect(broken.exitCode).to.equal(3);
    const { projects } = JSON.parse(broken.stdout) as { projects: { project: string; ok: boolean }[] };
    expect(projects.map(({ project, ok }) => [project, ok])).to.deep.equal([
      ['first', false],
      ['second', true],
    ]);
  });

  it('OPS-11: exits 2 for a project that is not listed', async () => {
    const { exitCode, stderr } = await crf('--project', 'trail', 'info');

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('did you mean trial?');
  });

  it('lets the sandbox take precedence', async () => {
    const { exitCode, stdout } = await crf('--project', 'trial', '--sandbox', 'info');

    expect(exitCode).to.equal(0);
    expect(stdout).to.not.include('The trial');
  });

  it('OPS-10: serves the named project', async () => {
    const server = await startServer(
      loadSettings({
        ...NO_LOAD_SHEDDING,
        PORT: '0',
        LOG_LEVEL: 'silent',
        PROJECTS_FILE: file,
        CAPTURE_PROJECT: 'trial',
      }),
    );
    const answer = (await (await fetch(`${server.url}/api/v1/project/info`)).json()) as object;
    await server.stop();

    expect(JSON.stringify(answer)).to.include('The trial');
  });

  it('PROJ-01: is what crf sandbox --projects prints, as long as it runs', async () => {
    let read: CrfRun | undefined;
    let printed = '';
    const { exitCode } = await runCrf(['sandbox', '--projects', '3'], {
      onOutput: (text, interrupt) => {
        const [, path] = /^PROJECTS_FILE=(.+)$/m.exec(text) ?? [];
        if (path === undefined) return;
        printed = path;
        void runCrf(['check'], { environment: { PROJECTS_FILE: path } }).then((run) => {
          read = run;
          interrupt();
        });
      },
    });

    expect([exitCode, read?.exitCode]).to.deep.equal([0, 0]);
    expect(read?.stdout).to.match(/^project1 +ok .*\nproject2 +ok .*longitudinal.*\nproject3 +ok /m);
    expect(existsSync(printed)).to.equal(false);
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Certificate } from '../../proof/certificate.js';
import { createDemoStudy, DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { runCrf } from '../../support/run-crf.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

const POLICY = `version: 1
policies:
  site: { records: { dag: $caller.dag }, forms: { "*": write }, fields: { hide: [email] }, create: { prefix: S1- } }
  stats: { records: all, forms: { "*": read }, deidentify: limited, transform: { age: { top: 80 } } }
  lost: { records: all, forms: { nowhere: read } }
bindings:
  - { key: paris, policy: site, dag: paris }
  - { session: "*@partner.example", mirror: redcap-user }
`;

const TOOL = fileURLToPath(new URL('../../proof/run-certificate.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
const TSCONFIG = fileURLToPath(new URL('../../../tsconfig.json', import.meta.url));

describe('npm run certificate', function () {
  this.timeout(300_000);
  let started: SandboxClient;
  let folder: string;
  before(async () => {
    started = await startSandboxClient(createDemoStudy());
    folder = await mkdtemp(join(tmpdir(), 'crf-certificate-'));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
    await crf('policy', 'accept', 'policy.yaml', '--yes');
  });
  after(async () => {
    await started.close();
    await rm(folder, { recursive: true });
  });

  const projectOf = () => ({ CAPTURE_API_URL: started.sandbox.url, CAPTURE_API_TOKEN: DEMO_TOKEN });
  const crf = (...args: string[]) => runCrf(args, { cwd: folder, environment: projectOf() });
  const certify = (...args: string[]) =>
    new Promise<{ exitCode: number | null; stderr: string }>((resolve) => {
      const options = {
        cwd: folder,
        env: { PATH: process.env.PATH, TSX_TSCONFIG_PATH: TSCONFIG, ...projectOf() },
      };
      const child = execFile(
        process.execPath,
        ['--import', TSX, TOOL, ...args],
        options,
        (_error, _stdout, stderr) => resolve({ exitCode: child.exitCode, stderr }),
      );
    });

  it('GW-10: proves the policies of a project with its design, and reads none of its records', async () => {
    const before = new Set(started.sandbox.project.log.newestFirst());
    const { exitCode, stderr } = await certify(
      ...['policy.yaml', '--json', '--seconds', '6', '-o', 'proof.json'],
    );
    const certificate = JSON.parse(await readFile(join(folder, 'proof.json'), 'utf8')) as Certificate;
    const [site, stats, lost] = certificate.policies;
    const asked = started.sandbox.project.log.newestFirst().filter((entry) => !before.has(entry));

    expect(asked.filter(({ action }) => /export|record/i.test(action))).to.deep.equal([]);
    expect(site).to.deep.include({ policy: 'site', callers: ['key:paris'], differences: [] });
    expect(site?.problem).to.equal(undefined);
    expect(site?.operations).to.be.above(60);
    expect(site?.shown).to.be.above(20);
    expect(site?.leaks.seeded).to.be.above(0);
    expect(site?.leaks.found).to.be.at.most(site?.leaks.seeded ?? 0);
    expect(stats).to.deep.include({ policy: 'stats', differences: [] });
    expect(stats?.problem).to.equal(undefined);
    expect(stats?.shown).to.be.above(20);
    // A policy that does not fit the project is no success.
    expect(lost?.problem).to.include('forms.nowhere is not an instrument of the project');
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(
      /^site: 0 differences in \d+ requests\. Of \d+ leaks? put in on purpose, \d+ showed something hidden and (?:was|were) found(?:; with the other \d+ in place no answer showed anything that this policy hides)?\.$/m,
    );
    expect(certificate.notCovered.join(' ')).to.include('mirror: redcap-user');
    for (const digest of Object.values(certificate.digests)) expect(digest).to.match(/^sha256:[0-9a-f]{64}$/);
  });

  it('succeeds where every policy was proved, one that de-identifies too', async () => {
    await writeFile(join(folder, 'fitting.yaml'), POLICY.replace(/ {2}lost: .*\n/, ''));
    await crf('policy', 'accept', 'fitting.yaml', '--yes');
    const { exitCode, stderr } = await certify(...['fitting.yaml', '--seconds', '2', '-o', 'fitting.html']);

    expect(stderr).to.match(/^stats: 0 differences in \d+ requests[.;] /m);
    expect(exitCode).to.equal(0);
    expect(await readFile(join(folder, 'fitting.html'), 'utf8')).to.include('Where a policy de-identifies');
  });

  it('saves a document without scripts that says what is not claimed, and does not replace another', async () => {
    await writeFile(
      join(folder, 'policy.yaml'),
      POLICY.replace(/ {2}(site|stats): .*/g, '').replace(/ {2}- { key.*/, ''),
    );
    const again = () => certify('policy.yaml', '--seconds', '1', '-o', 'rights.html');
    const { stderr } = await again();
    const html = await readFile(join(folder, 'rights.html'), 'utf8');

    expect(stderr).to.include('lost: It does not fit the project');
    expect(html).to.include('<h2>lost</h2>').and.include('Not claimed').and.include('sha256:');
    expect(html).not.to.include('<script');
    expect((await again()).stderr).to.include('rights.html');
  });
});

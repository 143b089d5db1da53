import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WholeManifest } from '../../../src/policy/counted-export.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';

const POLICY = `version: 1
policies:
  analyst:
    records: all
    forms: { "*": read }
    deidentify: remove-identifiers
    transform: { dates: year, zip: { keep: 3 } }
  plain: { records: all, forms: { vitals: read } }
bindings:
  - { key: stats, policy: analyst }
  - { key: monitor, policy: plain }
`;

describe('A de-identified export (GW-09) with crf', function () {
  this.timeout(60_000);
  let folder: string;
  const crf = (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<CrfRun> =>
    runCrf([...args, '--sandbox'], {
      cwd: folder,
      environment: { SANDBOX_STUDY: 'longitudinal', PSEUDONYM_KEY: 'ab'.repeat(32), ...environment },
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-deidentified-'));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
    await crf(['policy', 'accept', 'policy.yaml', '--yes', '--identifying', 'analyst.consent_form']);
  });
  after(() => rm(folder, { recursive: true }));

  it('needs somebody to accept each doubtful field by its name', async () => {
    await rm(join(folder, 'policy.lock'));
    const first = await crf(['policy', 'accept', 'policy.yaml', '--yes']);
    const wrong = await crf(['policy', 'accept', 'policy.yaml', '--yes', '--identifying', 'analyst.email']);
    const second = await crf([
      'policy',
      'accept',
      'policy.yaml',
      '--yes',
      '--identifying',
      'analyst.consent_form',
    ]);
    const third = await crf(['policy', 'accept', 'policy.yaml', '--yes']);

    expect(first.stdout).to.include('? analyst.consent_form stays hidden: it has files or signatures\n');
    expect(first.stdout)
      .to.include('+ analyst: vitals.visit_date\n')
      .and.not.match(/\+ .*(?:email|consent_form)/);
    expect([wrong.exitCode, wrong.stderr.includes('analyst.email')]).to.deep.equal([2, true]);
    expect(second.stdout).to.equal(
      '+ analyst: enrolment.consent_form\n? analyst.userid stays hidden: its name says that it may identify somebody\n',
    );
    expect(third.stdout, 'it stays accepted').to.not.include('consent_form');
  });

  it('is explained field by field', async () => {
    const why = async (field: string): Promise<string> =>
      (await crf(['policy', 'explain', 'policy.yaml', '--as', 'key:stats', '--field', field])).stdout;

    expect(await why('email')).to.equal(
      'email: hidden. policies.analyst.deidentify removes it: it is flagged as an identifier.\n',
    );
    expect(await why('userid'))
      .to.include('hidden')
      .and.include('--identifying analyst.userid');
    expect(await why('visit_date')).to.equal('visit_date: read, but its dates are cut to the year.\n');
    expect(await why('consent_form')).to.include('The lock accepts it, although it has files');
  });

  it('has a manifest of what was done to which columns, and of rules that met nothing', async () => {
    const args = ['export', '--as', 'key:stats', '--policy', 'policy.yaml', '--format', 'json'];
    const run = await crf([...args, '-o', 'out.json', '--manifest', 'manifest.json']);
    const found = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8')) as Record<string, string>[];
    const text = await readFile(join(folder, 'manifest.json'), 'utf8');
    const { rows, rules, warnings, hidden, digests } = JSON.parse(text) as WholeManifest;
    const visits = found.flatMap((row) => (row.visit_date === '' ? [] : [row.visit_date]));

    expect(run.exitCode, run.stderr).to.equal(0);
    expect(found[0]).to.not.have.any.keys('email', 'userid');
    expect(visits.every((value) => /^\d{4}$/.test(value ?? ''))).to.equal(true);
    expect(rows).to.equal(found.length);
    expect(rules.map(({ rule, columns }) => [rule, columns.visit_date])).to.deep.equal([
      ['dates', visits.length],
      ['zip', undefined],
    ]);
    expect(warnings).to.deep.equal(['zip is for no field that the policy shows']);
    expect(run.stderr).to.include('Manifest: zip is for no field');
    expect(hidden).to.deep.include({ field: 'email', why: 'it is flagged as an identifier' });
    expect(Object.values(digests).join()).to.match(/^(?:sha256:[0-9a-f]{64},?){5}$/);
  });

  it('counts what is exported, and nothing that is only read for it', async () => {
    const base = ['export', '--as', 'key:stats', '--policy', 'policy.yaml', '--format', 'json', '--force'];
    for (const more of [
      ['--filter-logic', '[age] > 40', '--batch-size', '20'],
      ['--fields', 'visit_date', 'age'],
    ]) {
      const run = await crf([...base, ...more, '-o', 'some.json', '--manifest', 'some.manifest.json']);
      const read = async (name: string): Promise<unknown> =>
        JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown;
      const rows = (await read('some.json')) as Record<string, string>[];
      const manifest = (await read('some.manifest.json')) as WholeManifest;
      const counts = Object.entries(manifest.rules.find(({ rule }) => rule === 'dates')?.columns ?? {});
      const cells = counts.map(([name]) => [name, rows.filter((row) => (row[name] ?? '') !== '').length]);

      expect(run.exitCode, run.stderr).to.equal(0);
      expect(manifest.rows).to.equal(rows.length);
      expect(counts, more.join(' ')).to.deep.equal(cells);
    }
  });

  it('is refused without the key, without rights, and with a manifest of what was not changed', async () => {
    const args = ['export', '--policy', 'policy.yaml', '--format', 'csv'];
    const tries: [args: string[], environment: Record<string, string>, exitCode: number, message: string][] =
      [
        [['--as', 'key:stats'], { PSEUDONYM_KEY: '' }, 1, 'PSEUDONYM_KEY is needed'],
        [['--as', 'key:nobody'], {}, 1, 'key:nobody has no rights'],
        [['--as', 'key:monitor', '--manifest', 'other.json'], {}, 2, 'shows values as they are'],
        [['--manifest', 'other.json'], {}, 2, 'needs --as'],
        [['--as', 'key:stats', '--manifest', 'x.json', '--limit', '2'], {}, 2, 'describes a whole export'],
      ];
    for (const [more, environment, exitCode, message] of tries) {
      const run = await crf([...args, ...more], environment);

      expect([run.exitCode, run.stdout], run.stderr).to.deep.equal([exitCode, '']);
      expect(run.stderr).to.include(message);
    }
  });

  it('ships with policies that fit the sandbox', async () => {
    const example = join(process.cwd(), 'examples/deidentification/policy.yaml');
    const run = await crf(['policy', 'check', example]);

    expect(run.exitCode).to.equal(0);
    expect(run.stdout)
      .to.include('2 policies checked, all fit the project.\n')
      .and.not.match(/never matches|not a group|hidden until/);
  });
});

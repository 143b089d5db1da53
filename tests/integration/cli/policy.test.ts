import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { runCrf } from '../../support/run-crf.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const POLICY = `version: 1
policies:
  monitor: { records: { dag: $caller.dag }, forms: { base: read }, fields: { hide: [born] } }
  adults: { records: { where: "[age] >= 30" }, forms: { base: write } }
bindings:
  - { key: paris, policy: monitor, dag: paris }
  - { key: grown, policy: adults }
`;

describe('crf policy', () => {
  let started: SandboxClient;
  let folder: string;
  before(async () => {
    const study = classicStudy();
    started = await startSandboxClient({
      ...study,
      groups: [{ id: 1, name: 'Paris', uniqueName: 'paris' }],
      rows: study.rows.map((row) => (row.id === '2' ? row : { ...row, redcap_data_access_group: 'paris' })),
    });
  });
  after(() => started.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-policy-'));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs `crf policy` with arguments, and with variables of the environment. */
  const policy = (...args: (string | Readonly<Record<string, string>>)[]) =>
    runCrf(['policy', ...args.filter((each) => typeof each === 'string')], {
      cwd: folder,
      environment: {
        CAPTURE_API_URL: started.sandbox.url,
        CAPTURE_API_TOKEN: DEMO_TOKEN,
        POLICY_FILE: 'policy.yaml',
        ...Object.assign({}, ...args.filter((each) => typeof each !== 'string')),
      },
    });

  it('accepts the fields that the policies grant, and only shows them with --dry-run', async () => {
    const dry = await policy('accept', '--dry-run');
    const accepted = await policy('accept', '--yes');
    const again = await policy('accept', '--yes');

    expect(dry.stdout)
      .to.equal(accepted.stdout)
      .and.include('+ monitor: base.age\n')
      .and.not.include('monitor: base.born');
    expect(again.stdout).to.equal('');
    expect(await readFile(join(folder, 'policy.lock'), 'utf8')).to.include('monitor:');
  });

  it('asks before it shows fields, and writes nothing without a terminal or --yes', async () => {
    const refused = await policy('accept');

    expect(refused.exitCode).to.equal(2);
    expect(refused.stdout).to.include('+ monitor: base.age\n');
    expect(refused.stderr).to.match(/Show \d+ fields to the callers of these policies\? Confirm with --yes/);
    expect(existsSync(join(folder, 'policy.lock'))).to.equal(false);

    await policy('accept', '--yes');
    await writeFile(join(folder, 'policy.yaml'), POLICY.replace('hide: [born]', 'hide: [born, age]'));
    const narrower = await policy('accept');

    expect([narrower.exitCode, narrower.stdout]).to.deep.equal([0, '']);
  });

  it('keeps a lock for each policy file, and refuses that of another file', async () => {
    for (const name of ['a.yaml', 'b.yaml', 'b.yml']) await writeFile(join(folder, name), POLICY);
    await policy('accept', 'a.yaml', '--yes');
    const lockOfA = await readFile(join(folder, 'a.lock'), 'utf8');
    const missing = await policy('explain', 'b.yaml', '--as', 'key:grown');
    await writeFile(join(folder, 'b.lock'), lockOfA);
    const copied = await policy('explain', 'b.yaml', '--as', 'key:grown');
    const claimed = await policy('accept', 'b.yaml', '--yes');
    await rm(join(folder, 'b.lock'));
    await policy('accept', 'b.yaml', '--yes');
    const beside = await policy('accept', 'b.yml', '--yes');

    expect(missing.stderr).to.include('has no b.lock beside it');
    expect(copied.exitCode).to.equal(2);
    expect(copied.stderr).to.include('b.lock is for a.yaml, not for b.yaml: crf policy accept b.yaml shows');
    expect(claimed.stderr).to.include('b.lock is the lock of a.yaml, which is beside b.yaml');
    expect(beside.stderr).to.include('b.lock is the lock of b.yaml, which is beside b.yml');
    expect(await readFile(join(folder, 'a.lock'), 'utf8'))
      .to.equal(lockOfA)
      .and.include('file: a.yaml\n');
    expect((await policy('check', 'a.yaml')).exitCode).to.equal(0);
  });

  it('takes a lock that names no file for policy.yaml alone', async () => {
    await policy('accept', '--yes');
    const lock = (await readFile(join(folder, 'policy.lock'), 'utf8')).replace(/^(file|project): .*\n/gm, '');
    await writeFile(join(folder, 'policy.lock'), lock);
    await writeFile(join(folder, 'other.yaml'), POLICY);
    await writeFile(join(folder, 'other.lock'), lock);

    expect((await policy('check')).exitCode).to.equal(0);
    expect((await policy('check', 'other.yaml')).stderr).to.include(
      'other.lock does not say which policy file it is for',
    );
  });

  it('closes every policy whose lock is for another project, until it is accepted there', async () => {
    await policy('accept', '--yes');
    const path = join(folder, 'policy.lock');
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^project: .*$/m, 'project: 999'));
    const checked = await policy('check');
    const explained = await policy('explain', '--as', 'key:grown');
    const dry = await policy('accept', '--dry-run');
    await policy('accept', '--yes');

    expect(checked.exitCode).to.equal(1);
    expect(checked.stdout).to.match(/^adults: the lock is for project 999 of REDCap, not for project \d+: /m);
    expect(explained.stderr).to.include('the lock is for project 999');
    expect(dry.stderr).to.include('policy.lock is for project 999');
    expect(dry.stdout).to.include('+ monitor: base.age\n');
    expect((await policy('check')).exitCode).to.equal(0);
  });

  it('explains what a caller sees: fields, records and what decides about them', async () => {
    await policy('accept', '--yes');
    const seen = await policy('explain', '--as', 'key:grown');
    const of = async (as: string, record: string): Promise<string> =>
      (await policy('explain', '--as', as, '--record', record)).stdout;

    expect(seen.stdout).to.include('Records: those of which a row satisfies [age] >= 30.');
    expect(seen.stdout).to.include('Decide about the records, and cannot be changed: age.');
    expect(await of('key:grown', 'A-1')).to.equal(
      'A-1: visible. It is a record of the view: those of which a row satisfies [age] >= 30.\n',
    );
    expect(await of('key:grown', '10')).to.match(/^10: hidden\. /);
    expect(await of('key:paris', '10')).to.match(/^10: visible\. .* the data access group paris/);
    expect(await of('key:paris', '2')).to.equal((await of('key:paris', 'none')).replace('none', '2'));
    expect((await policy('explain', '--as', 'key:paris', '--field', 'born')).stdout).to.equal(
      'born: hidden. policies.monitor.fields.hide names it.\n',
    );
    expect((await policy('explain', '--as', 'key:nobody')).exitCode).to.equal(1);
  });

  it('checks the file: what does not fit, groups that do not exist, bindings that never match', async () => {
    await policy('accept', '--yes');
    expect((await policy('check')).stdout).to.match(
      /^2 policies checked, all fit the project\.\nNo policy needs the right /,
    );

    const text = POLICY.replace('dag: paris }', 'dag: pariss }').replace('[born]', '[bornn]');
    await writeFile(join(folder, 'policy.yaml'), `${text}  - { key: grown, policy: monitor }\n`);
    const wrong = await policy('check');

    expect(wrong.exitCode).to.equal(1);
    expect(wrong.stdout).to.include(
      'monitor: fields.hide.bornn is not a field of the project; did you mean born?',
    );
    expect(wrong.stdout).to.include('bindings[0].dag is not a data access group of the project');
    expect(wrong.stdout).to.include('bindings[2] never matches');
  });

  it('checks bindings behind broader ones, keys that nobody has, and rights of the token that nobody needs', async () => {
    const bindings = [
      '{ session: "*@a.example", policy: adults }',
      '{ session: "*.ada@a.example", policy: adults }',
      '{ session: "ada@b.example", policy: adults }',
    ];
    await writeFile(
      join(folder, 'policy.yaml'),
      `${POLICY}${bindings.map((each) => `  - ${each}\n`).join('')}`,
    );
    await policy('accept', '--yes');
    const { stdout, exitCode } = await policy('check', { API_KEYS: `paris:${'ab'.repeat(32)}:project:read` });

    expect(stdout.match(/^bindings.*/gm)).to.deep.equal([
      'bindings[3] never matches: an earlier one is for the same callers',
      'bindings[1] never matches: API_KEYS has no key of this name',
    ]);
    expect(stdout.match(/^No policy needs the right [\w ]+/gm)).to.deep.equal([
      'No policy needs the right Logging',
      'No policy needs the right User Rights',
      'No policy needs the right File Repository',
      'No policy needs the right Project Design and Setup',
      'No policy needs the right Data Access Groups',
      'No policy needs the right Create Records',
      'No policy needs the right Rename Records',
    ]);
    expect(exitCode).to.equal(0);

    const needed = POLICY.replace('hide: [born] }', 'hide: [born] }, log: read');
    await writeFile(join(folder, 'policy.yaml'), needed);
    expect((await policy('check')).stdout).to.not.include('Logging');
  });

  const ownPolicy = (own: string): string =>
    `version: 1\npolicies:\n  mine: { records: { own: { ${own}, equals: $session.email } }, forms: { "*": read } }\nbindings: []\n`;

  it('warns of an own record that nobody finds', async () => {
    await writeFile(join(folder, 'policy.yaml'), ownPolicy('field: twice'));
    await policy('accept', '--yes');
    const { stdout } = await policy('check');

    expect(stdout).to.include(
      'policies.mine.records.own: no record has an address in twice, so that nobody finds one\n',
    );
    expect(stdout).to.include('1 policy checked, it fits the project.\n');
  });

  for (const [events, warned] of [
    [', event: enrolment_arm_1', true],
    [', event: [enrolment_arm_1, enrolment_arm_2]', false],
    ['', false],
  ] as const)
    it(`${warned ? 'warns' : 'does not warn'} of addresses at events that are not named, with ${events || 'no event'}`, async () => {
      const run = (...args: string[]) =>
        runCrf(['policy', ...args, 'own.yaml', '--sandbox'], {
          cwd: folder,
          environment: { SANDBOX_STUDY: 'longitudinal' },
        });
      await writeFile(join(folder, 'own.yaml'), ownPolicy(`field: email${events}`));
      await run('accept', '--yes');
      const { stdout, stderr } = await run('check');

      expect(stdout, stderr).to.include('1 policy checked, it fits the project.\n');
      expect(
        stdout.includes(
          'policies.mine.records.own: 48 of 120 addresses stand at other events only (enrolment_arm_2): these people find no record\n',
        ),
      ).to.equal(warned);
      expect(stdout).to.not.include('@example.org');
    });

  for (const [what, rules, warned] of [
    ['callers of several groups', '{ records: { dag: $caller.dag }, PREFIX }', true],
    ['callers of one group', '{ records: { dag: paris }, PREFIX }', false],
    ['callers of all records', '{ records: all, PREFIX }', false],
  ] as const)
    it(`${warned ? 'warns' : 'does not warn'} of a prefix of new ids for ${what}`, async () => {
      const create = 'forms: { base: write }, create: { prefix: S- }';
      const text = `version: 1\npolicies:\n  site: ${rules.replace('PREFIX', create)}\nbindings:\n  - { key: a, policy: site, dag: paris }\n  - { key: b, policy: site, dag: lyon }\n`;
      await writeFile(join(folder, 'policy.yaml'), text);
      await policy('accept', '--yes');

      const { stdout } = await policy('check');

      expect(
        stdout.includes('policies.site.create.prefix is that of callers of several data access groups'),
      ).to.equal(warned);
    });

  it('warns of two policies whose prefixes begin alike and whose records differ', async () => {
    const rules = (group: string, prefix: string): string =>
      `{ records: { dag: ${group} }, forms: { base: write }, create: { prefix: ${prefix} } }`;
    const write = (second: string): Promise<void> =>
      writeFile(
        join(folder, 'policy.yaml'),
        `version: 1\npolicies: { a: ${rules('paris', 'S-')}, b: ${second} }\nbindings: []\n`,
      );
    await write(rules('lyon', 'S-1'));
    await policy('accept', '--yes');
    const alike = (await policy('check')).stdout;
    await write(rules('lyon', 'T-'));
    const apart = (await policy('check')).stdout;

    expect(alike)
      .to.include('policies.a.create.prefix begins like that of b, whose callers have other records')
      .and.include('policies.b.create.prefix begins like that of a');
    expect(apart).to.not.include('create.prefix');
  });

  it('finds bindings for keys that PROJECTS_FILE does not give the project', async () => {
    await policy('accept', '--yes');
    const key = `{ name: paris, sha256: ${'ab'.repeat(32)}, projects: [one], scopes: [project:read] }`;
    const other = `{ name: grown, sha256: ${'cd'.repeat(32)}, projects: [two], scopes: [project:read] }`;
    const project = `{ url: ${started.sandbox.url}, tokenEnv: THE_TOKEN, policy: policy.yaml }`;
    const text = `version: 1\nprojects: { one: ${project}, two: { sandbox: classic } }\nkeys: [${key}, ${other}]\n`;
    await writeFile(join(folder, 'projects.yaml'), text);
    const environment = { PROJECTS_FILE: 'projects.yaml', THE_TOKEN: DEMO_TOKEN };
    const run = (...args: string[]) => runCrf(['--project', 'one', ...args], { cwd: folder, environment });
    const note = 'bindings[1] never matches: no key of this name opens the project one';

    expect((await run('policy', 'check')).stdout)
      .to.include(note)
      .and.not.include('bindings[0]');
    expect((await run('check')).stdout).to.include(note);
  });

  it('is looked at by crf check as well: whatever crf serve refuses, it finds', async () => {
    const check = async (...lines: string[]) => {
      const { stdout, exitCode } = await runCrf(['check'], {
        cwd: folder,
        environment: {
          CAPTURE_API_URL: started.sandbox.url,
          CAPTURE_API_TOKEN: DEMO_TOKEN,
          POLICY_FILE: 'policy.yaml',
        },
      });
      for (const line of lines) expect(stdout).to.include(line);
      return exitCode;
    };
    expect(await check('FAILED  policy', 'has no policy.lock beside it')).to.not.equal(0);
    await policy('accept', '--yes');
    expect(await check('2 policies fit the project')).to.equal(0);
    await writeFile(join(folder, 'policy.yaml'), POLICY.replace('[born]', '[bornn]'));
    expect(await check('monitor: fields.hide.bornn is not a field of the project')).to.not.equal(0);
    await writeFile(
      join(folder, 'policy.yaml'),
      POLICY.replace('{ base: write }', '{ base: read }, deidentify: limited'),
    );
    await policy('accept', '--yes');
    expect(await check('PSEUDONYM_KEY is needed by a policy that de-identifies')).to.not.equal(0);
  });

  const cases = async (text: string) => {
    await policy('accept', '--yes');
    await writeFile(join(folder, 'cases.yaml'), `version: 1\ncases:\n${text}`);
    return policy('test', 'cases.yaml');
  };

  it('compares what callers see with cases: nothing to say if all are met', async () => {
    const met = await cases(`
  - { as: key:paris, policy: monitor, visible: { fields: [id, age], instruments: [base], records: [A-1, 10] } }
  - { as: key:paris, hidden: { fields: [born], records: ["2"], reports: [1] }, mayNot: [read the log] }
  - { as: key:grown, writable: { instruments: [base], fields: [born] }, visible: { fields: [age] }, hidden: { records: [10] } }
  - { as: key:nobody, policy: none, hidden: { fields: [age] } }
`);

    expect(met.stdout).to.equal('16 expectations of 4 cases: all are met.\n');
    expect(met.exitCode).to.equal(0);
  });

  it('lists each expectation that is not met, and names that say nothing because they do not exist', async () => {
    const failed = await cases(`
  - { as: key:paris, policy: adults, visible: { fields: [born], records: [2] }, hidden: { fields: [age, bornn] } }
  - { as: key:grown, writable: { fields: [age] }, hidden: { records: [A-1, A-77] }, may: [upload files] }
  - { as: key:nobody, visible: { fields: [age] } }
`);

    expect(failed.stdout.split('\n')).to.deep.equal([
      'cases[0] key:paris: policy adults: the policy is monitor',
      'cases[0] key:paris: field born visible: is hidden',
      'cases[0] key:paris: record 2 visible: is hidden',
      'cases[0] key:paris: field age hidden: is visible',
      'cases[0] key:paris: field bornn hidden: does not exist; did you mean born?',
      'cases[1] key:grown: field age writable: is read-only',
      'cases[1] key:grown: record A-1 hidden: is visible',
      'cases[1] key:grown: record A-77 hidden: does not exist',
      'cases[1] key:grown: may upload files: may not',
      'cases[2] key:nobody: field age visible: is hidden',
      '10 expectations of 3 cases: 10 are not met.',
      '',
    ]);
    expect(failed.exitCode).to.equal(1);
  });

  it('refuses cases that are not valid, with line and place', async () => {
    const wrong = await cases(`  - { as: paris, visibel: { fields: [age] } }\n  - { as: key:paris }\n`);

    expect(wrong.exitCode).to.equal(2);
    expect(wrong.stderr)
      .to.include('line 3, cases[0].as must be key:NAME or session:ADDRESS')
      .and.include('visibel is not a property of a case; did you mean visible?')
      .and.include('cases[1] must expect something');
  });

  it('translates record ids to pseudonyms and back, for whoever has the key', async () => {
    const text = POLICY.replace('forms: { base: write } }', 'forms: { base: read }, deidentify: limited }');
    await writeFile(join(folder, 'policy.yaml'), text);
    await policy('accept', '--yes');
    const key = { PSEUDONYM_KEY: 'ab'.repeat(32) };
    const run = (environment: Record<string, string>, ...ids: string[]) =>
      policy('pseudonym', '--as', 'key:grown', ...ids, environment);
    const forth = await run(key, 'A-1', '10');
    const [first = '', second = ''] = forth.stdout.split('\n').map((line) => line.split('\t')[1] ?? '');
    const back = await run(key, second, first);
    const foreign = await run({ PSEUDONYM_KEY: 'cd'.repeat(32) }, first, 'A-1');

    expect(forth.stdout).to.match(/^A-1\tp[0-9a-f]{4}-\S{75}\n10\tp/);
    expect(back.stdout).to.equal(`10\t${second}\nA-1\t${first}\n`);
    expect(foreign.exitCode).to.equal(1);
    expect(foreign.stderr).to.include('is a pseudonym of another key, policy or project');
    expect(foreign.stdout)
      .to.match(/^A-1\tp/)
      .and.not.include(first);
    expect((await run({}, 'A-1')).stderr).to.include('PSEUDONYM_KEY');
    expect((await policy('pseudonym', '--as', 'key:paris', 'A-1', key)).stderr).to.include(
      'The policy monitor has no pseudonyms: a record id is shown as it is.',
    );
    expect((await policy('explain', '--as', 'key:grown', '--record', 'A-1')).stdout).to.match(
      /^A-1: visible/,
    );
  });

  it('answers with --json alone on stdout, and with the exit codes of the sentences', async () => {
    const json = async (...args: Parameters<typeof policy>): Promise<object> =>
      JSON.parse((await policy(...args, '--json')).stdout) as object;
    const text = POLICY.replace('forms: { base: write } }', 'forms: { base: read }, deidentify: limited }');
    await writeFile(join(folder, 'policy.yaml'), text);
    const dry = await policy('accept', '--dry-run', '--json');
    const accepted = JSON.parse(dry.stdout) as { added: string[] };
    await policy('accept', '--yes');
    await writeFile(
      join(folder, 'cases.yaml'),
      'version: 1\ncases:\n  - { as: key:paris, visible: { fields: [age, born] } }\n',
    );
    const tested = await policy('test', 'cases.yaml', '--json');
    const key = { PSEUDONYM_KEY: 'ab'.repeat(32) };

    expect(accepted).to.deep.include({ lock: 'policy.lock', dryRun: true });
    expect(accepted.added).to.include('monitor: base.age');
    expect(dry.stderr).to.include('+ monitor: base.age\n');
    expect(await json('check')).to.deep.include({ ok: true, problems: [], waiting: 0 });
    expect(tested.exitCode).to.equal(1);
    expect(JSON.parse(tested.stdout)).to.deep.equal({
      ...{ ok: false, cases: 1, expectations: 2 },
      failed: [{ case: 0, as: 'key:paris', expected: 'field born visible', failure: 'is hidden' }],
    });
    expect(await json('explain', '--as', 'key:paris')).to.deep.include({
      policy: 'monitor',
      records: 'those of the data access group paris',
      instruments: { base: 'read' },
    });
    expect(await json('explain', '--as', 'key:paris', '--field', 'born')).to.deep.include({
      access: 'hidden',
    });
    expect(await json('explain', '--as', 'key:paris', '--record', '10')).to.deep.include({ visible: true });
    expect(await json('pseudonym', '--as', 'key:grown', 'A-1', key)).to.have.nested.property(
      '[0].record',
      'A-1',
    );
  });

  it('has an example whose cases are met', async () => {
    const example = join(process.cwd(), 'examples/rights');
    const paths = [join(example, 'cases.yaml'), '--policy', join(example, 'policy.yaml')];
    const { stdout, exitCode } = await runCrf(['policy', 'test', ...paths, '--sandbox'], {
      environment: { SANDBOX_STUDY: 'longitudinal' },
    });

    expect([exitCode, stdout]).to.deep.equal([0, '29 expectations of 4 cases: all are met.\n']);
  });
});

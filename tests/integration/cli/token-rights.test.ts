import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_READER_TOKEN, DEMO_TOKEN, DEMO_USERS } from '../../../src/sandbox/demo-study/demo-study.js';
import { ALL_RIGHTS, rightsOf } from '../../../src/sandbox/redcap/rights.js';
import type { StudyUser } from '../../../src/sandbox/redcap/study.js';
import { runCrf } from '../../support/run-crf.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const READ = 'reader: { records: all, forms: { base: read } }';
const [MANAGER] = DEMO_USERS;
if (MANAGER === undefined) throw new Error('The study has no users.');

/** The data manager with the rights given, and nobody else. */
const managerWith = (rights: Parameters<typeof rightsOf>[0]): StudyUser[] => [
  { ...MANAGER, rights: rightsOf({ api_export: 1, ...rights }) },
];

describe('crf policy check: rights of the token that no policy needs', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-rights-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Checks a file of one policy, with the token of one of the users. @returns the rights named, and the other lines */
  async function check(
    users: readonly StudyUser[],
    { policy = READ, bindings = '', token = DEMO_TOKEN } = {},
  ): Promise<{ unneeded: string[]; others: string[] }> {
    const started = await startSandboxClient({ ...classicStudy(), users });
    const environment = { CAPTURE_API_URL: started.sandbox.url, CAPTURE_API_TOKEN: token };
    const run = (...args: string[]) =>
      runCrf(['policy', ...args, 'policy.yaml'], { cwd: folder, environment });
    try {
      const text = `version: 1\npolicies: { ${policy} }\nbindings: [${bindings}]\n`;
      await writeFile(join(folder, 'policy.yaml'), text);
      await run('accept', '--yes');
      const { stdout, stderr, exitCode } = await run('check');
      expect(exitCode, stderr).to.equal(0);
      const lines = stdout.split('\n');
      const unneeded = [...stdout.matchAll(/^No policy needs the right (.+), which/gm)];
      return {
        unneeded: unneeded.map(([, right = '']) => right),
        others: lines.filter((line) => /^(Rights|REDCap)/.test(line)),
      };
    } finally {
      await started.close();
    }
  }

  it('names each of them, those to change data and design too', async () => {
    const { unneeded, others } = await check(DEMO_USERS);

    expect(unneeded).to.deep.equal([
      'Logging',
      'User Rights',
      'File Repository',
      'Project Design and Setup',
      'Data Access Groups',
      'API Import/Update',
      'Survey Distribution Tools',
      'Create Records',
      'Rename Records',
      'Delete Records',
    ]);
    expect(others).to.deep.equal([]);
  });

  it('names none that the user of the token does not have', async () => {
    expect((await check(managerWith({ user_rights: 2, record_delete: 1 }))).unneeded).to.deep.equal([
      'User Rights',
      'Delete Records',
    ]);
  });

  const writes = [
    ['some of a record', 'forms: { base: write }, fields: { hide: [born] }', ['Create', 'Rename', 'Delete']],
    ['all of a record', 'forms: { base: write }', ['Create', 'Rename']],
    ['new records', 'forms: { base: write }, create: auto', ['Rename']],
    ['new names', 'forms: { base: write }, create: { prefix: N- }', []],
  ] as const;
  for (const [what, rules, left] of writes)
    it(`needs the rights with which a policy may write ${what}`, async () => {
      const { unneeded } = await check(DEMO_USERS, { policy: `writer: { records: all, ${rules} }` });

      expect(unneeded.filter((right) => / Records$|Import/.test(right))).to.deep.equal(
        left.map((right) => `${right} Records`),
      );
    });

  it('needs those of the users whose rights a binding mirrors', async () => {
    const bindings = '{ session: "*", mirror: redcap-user }';

    const { unneeded } = await check(DEMO_USERS, { bindings });

    expect(unneeded).to.deep.equal([
      'Logging',
      'File Repository',
      'Project Design and Setup',
      'Data Access Groups',
      'Create Records',
      'Rename Records',
    ]);
  });

  it('says so where REDCap does not show the rights, or whose the token is', async () => {
    const { unneeded, others } = await check(DEMO_USERS, { token: DEMO_READER_TOKEN });
    expect(unneeded).to.deep.equal(['File Repository']);
    expect(others).to.have.length(1).and.nested.property('0').that.includes('with User Rights only');

    const second = { ...MANAGER, username: 'deputy', token: '', rights: { ...ALL_RIGHTS, design: 0 } };
    const ofTwo = await check([MANAGER, second]);
    expect(ofTwo.unneeded).to.include('Delete Records').and.not.include('Project Design and Setup');
    expect(ofTwo.others).to.have.length(1).and.nested.property('0').that.includes('which of 2 users');
  });
});

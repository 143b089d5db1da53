import { expect } from 'chai';
import { createApp } from '../../../src/app/app.js';
import type { ProjectsAppOptions } from '../../../src/app/create-app-options.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { closeServer, listen } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';

/** Ada may enter three of the four projects, and has a policy in two of them. */
const SESSIONS: NonNullable<ProjectsAppOptions['access']>['sessions'] = [
  { email: 'ada@example.org', projects: ['cohort', 'trial', 'open'], scopes: ['project:read'] },
  { email: 'ada@*', projects: ['trial'], scopes: ['records:read'] },
  { email: 'joan@example.org', projects: ['trial', 'open'], scopes: ['project:read'] },
];
const ADA = '{ session: ada@example.org, policy: reader }';

describe('What /auth/me tells of several projects (GW-03)', () => {
  let sandbox: SandboxClient;
  let auth: TestAuth;
  let links = 0;
  before(async () => {
    [sandbox, auth] = await Promise.all([startSandboxClient(classicStudy()), startAuth()]);
  });
  after(() => Promise.all([sandbox.close(), auth.server.stop()]));

  /** Returns what `policies` is for people, who ask at the root or below a project. */
  async function policiesOf(
    projects: ProjectsAppOptions['projects'],
    people: readonly (readonly [name: string, path: string])[],
  ): Promise<unknown[]> {
    const server = createHttpServer(
      createApp({
        access: { sessions: SESSIONS },
        auth: { service: auth.service, trustedOrigins: ['https://app.example.org'] },
        projects,
        defaultProject: 'cohort',
      }),
    );
    const url = await listen(server);
    const ask = async ([name, path]: readonly [string, string]) => {
      const browser = new SignInClient(url);
      links += 1;
      await browser.send(`/login?userId=${name}&secret=link-${links}`);
      const answer = await browser.send(`${path}/api/v1/auth/me`);
      return ((await answer.json()) as { data: { policies?: unknown } }).data.policies;
    };
    try {
      return await Promise.all(people.map(ask));
    } finally {
      await closeServer(server);
    }
  }

  /** Returns a project with a policy file of one policy. */
  async function withPolicy(policy: string, bindings: string) {
    const { client } = sandbox;
    const set = readPolicyFile(`version: 1\npolicies: { ${policy} }\nbindings: [${bindings}]\n`);
    const files = { set, lock: acceptAll(set, await loadProjectStructure(client)) };
    return { capture: client, policy: new CallerViews(client, files, 'secret') };
  }

  it('is the policy of each project of the person, and what it allows; nothing of those of others', async () => {
    const projects = {
      cohort: await withPolicy('reader: { records: all, forms: { base: read } }', ADA),
      trial: await withPolicy('reader: { records: none, forms: { base: write }, log: read }', ADA),
      'of-others': await withPolicy('reader: { records: all, forms: { base: read } }', ADA),
      open: { capture: sandbox.client },
    };
    const common = { policy: 'reader', creatingRecords: 'none', files: 'none', reports: [] };
    const ofAda = [
      {
        ...{ project: 'cohort', scopes: ['project:read'], ...common },
        ...{ records: 'all', instruments: { base: 'read' }, log: 'none' },
      },
      {
        ...{ project: 'trial', scopes: ['project:read', 'records:read'], ...common },
        ...{ records: 'none', instruments: { base: 'write' }, log: 'read' },
      },
    ];
    const [atRoot, belowProject, ofJoan] = await policiesOf(projects, [
      ['ada', ''],
      ['ada', '/projects/trial'],
      ['joan', ''],
    ]);

    expect(atRoot).to.deep.equal(ofAda);
    expect(belowProject).to.deep.equal(ofAda);
    expect(ofJoan).to.deep.equal([{ project: 'trial', scopes: ['project:read'], problem: 'not_in_policy' }]);
  });

  it('is not there in projects without policies', async () => {
    const open = { capture: sandbox.client };
    const asked = await policiesOf({ cohort: open, trial: open, 'of-others': open, open }, [['ada', '']]);

    expect(asked).to.deep.equal([undefined]);
  });
});

import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredProjects } from '../../../../src/server/config/projects-file.js';
import {
  loadCommandSettings,
  loadProjectSettings,
  loadSettings,
} from '../../../../src/server/config/settings.js';
import type { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';
import { printed } from '../../../support/printed.js';

const TOKEN = '0123456789ABCDEF0123456789ABCDEF';

const TWO = `version: 1
default: cohort
projects:
  cohort:
    url: https://redcap.example.org/api/
    tokenFile: cohort.token
    timeZone: Europe/Paris
    recordIdMinLength: 1
  trial:
    url: https://redcap.example.org/api/
    tokenEnv: TRIAL_TOKEN
`;

describe('PROJECTS_FILE', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-projects-'));
    file = join(folder, 'projects.yaml');
    writeFileSync(join(folder, 'cohort.token'), `${TOKEN}\n`);
    writeFileSync(file, TWO);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns the problems of a configuration, each with the name of its setting. */
  function problemsOf(load: () => unknown): string[] {
    try {
      load();
    } catch (error) {
      return (error as ConfigurationError).errors.map(({ field, message }) => `${field} ${message}`);
    }
    return [];
  }

  function mistakesIn(text: string): string[] {
    writeFileSync(file, text);
    return problemsOf(() => configuredProjects({ PROJECTS_FILE: file }));
  }

  it('OPS-10: gives commands the default project, with its token, time zone and length of ids', () => {
    const settings = loadCommandSettings({ PROJECTS_FILE: file });

    expect(settings.capture?.url).to.equal('https://redcap.example.org/api/');
    expect(settings.capture?.token.reveal()).to.equal(TOKEN);
    expect(settings.project.timeZone).to.equal('Europe/Paris');
    expect(settings.project.imports.recordIdMinLength).to.equal(1);
  });

  it('OPS-08: watches the file of its token, which may be exchanged while the service runs', () => {
    const { projects } = loadSettings({ PROJECTS_FILE: file, TRIAL_TOKEN: 'F'.repeat(32) });

    expect(projects?.byName.get('cohort')?.secretFiles.map(({ name, path }) => [name, path])).to.deep.equal([
      ['CAPTURE_API_TOKEN', join(folder, 'cohort.token')],
    ]);
  });

  it('OPS-10: uses the named project, and the environment for what the file does not set', () => {
    const environment = {
      PROJECTS_FILE: file,
      TRIAL_TOKEN: 'F'.repeat(32),
      CAPTURE_TIME_ZONE: 'Europe/Lisbon',
    };

    const settings = loadProjectSettings('trial', environment);

    expect(settings.capture?.token.reveal()).to.equal('F'.repeat(32));
    expect(settings.project.timeZone).to.equal('Europe/Lisbon');
    expect(settings.project.imports.recordIdMinLength).to.equal(20);
  });

  it('OPS-10: refuses a project that is not listed, and suggests the one that was meant', () => {
    expect(problemsOf(() => loadProjectSettings('trail', { PROJECTS_FILE: file }))).to.deep.equal([
      'CAPTURE_PROJECT names no project of PROJECTS_FILE; did you mean trial?',
    ]);
  });

  it('OPS-10: asks for a name where the file has no default', () => {
    writeFileSync(file, TWO.replace('default: cohort\n', ''));

    expect(problemsOf(() => loadCommandSettings({ PROJECTS_FILE: file }))).to.deep.equal([
      'CAPTURE_PROJECT is needed, because PROJECTS_FILE has no default: cohort, trial',
    ]);
  });

  it('OPS-10: refuses a name without a file', () => {
    expect(problemsOf(() => loadCommandSettings({ CAPTURE_PROJECT: 'trial' }))).to.deep.equal([
      'CAPTURE_PROJECT needs PROJECTS_FILE, which lists the projects',
    ]);
  });

  it('OPS-10: refuses a second place for the address or the token', () => {
    const environment = {
      PROJECTS_FILE: file,
      CAPTURE_API_URL: 'https://other.example.org/api/',
      CAPTURE_API_TOKEN: TOKEN,
    };

    expect(problemsOf(() => loadCommandSettings(environment))).to.deep.equal([
      'CAPTURE_API_URL must not be set together with PROJECTS_FILE',
      'CAPTURE_API_TOKEN must not be set together with PROJECTS_FILE',
    ]);
  });

  it('OPS-10: names the variable of a token that is not set', () => {
    expect(problemsOf(() => loadProjectSettings('trial', { PROJECTS_FILE: file }))).to.include(
      'TRIAL_TOKEN is needed: PROJECTS_FILE names it for trial',
    );
  });

  it('OPS-11: names the project whose token cannot be read, and nothing else', () => {
    rmSync(join(folder, 'cohort.token'));

    expect(problemsOf(() => loadCommandSettings({ PROJECTS_FILE: file }))).to.deep.equal([
      'PROJECTS_FILE projects.cohort.tokenFile: names a file that cannot be read',
    ]);
  });

  it('OPS-11: names every mistake with its line and its rule, and never a value', () => {
    const mistakes = mistakesIn(`version: 2
projcts: {}
projects:
  Cohort:
    url: https://redcap.example.org/api/
    tokenEnv: A
  trial:
    url: SENTINEL
    tokenFlie: SENTINEL
    timeZone: SENTINEL/Paris
`);

    expect(mistakes).to.have.lengthOf(7);
    expect(mistakes).to.include(
      'PROJECTS_FILE line 7, projects.trial: must have url with either tokenFile or tokenEnv, or else sandbox',
    );
    expect(mistakes[0]).to.equal('PROJECTS_FILE line 1, version: must be 1');
    expect(mistakes).to.include('PROJECTS_FILE line 2, projcts: is not a property; did you mean projects?');
    expect(mistakes).to.include(
      'PROJECTS_FILE line 9, projects.trial.tokenFlie: is not a property; did you mean tokenFile?',
    );
    expect(mistakes.filter((each) => each.includes('line 4, projects.Cohort'))).to.have.lengthOf(1);
    expect(mistakes.filter((each) => each.includes('line 8, projects.trial.url'))).to.have.lengthOf(1);
    expect(mistakes.filter((each) => each.includes('line 10, projects.trial.timeZone'))).to.have.lengthOf(1);
    expect(printed(mistakes)).to.not.include('SENTINEL');
  });

  it('OPS-11: refuses two names for one project, and a default that is none of them', () => {
    const mistakes = mistakesIn(
      `${TWO.replace('default: cohort', 'default: cohrt')}  again:
    url: https://redcap.example.org/api
    tokenEnv: TRIAL_TOKEN
`,
    );

    expect(mistakes).to.deep.equal([
      'PROJECTS_FILE line 2, default: is not one of the projects; did you mean cohort?',
      'PROJECTS_FILE line 12, projects.again: is the same project as trial',
    ]);
  });

  for (const [what, text, line] of [
    ['a name that is repeated', `${TWO}  trial:\n    url: https://a.example.org/api/\n`, 12],
    ['text that is not YAML', 'version: 1\nprojects: [SENTINEL\n', 3],
  ] as const)
    it(`OPS-11: refuses ${what}, at its line`, () => {
      const mistakes = mistakesIn(text);

      expect(mistakes[0]).to.include(`line ${line}`);
      expect(printed(mistakes)).to.not.include('SENTINEL');
    });

  for (const text of ['', 'null', '[]', 'projects: {}', 'a: &a [*a, *a]\n', '"__proto__": 1\n'])
    it(`OPS-11: refuses ${JSON.stringify(text)}`, () => {
      expect(mistakesIn(text)).to.not.be.empty;
    });

  it('OPS-11: takes either a file or a variable for the token, and not both', () => {
    const mistakes = mistakesIn(TWO.replace('    tokenEnv: TRIAL_TOKEN\n', ''));

    expect(mistakes).to.deep.equal([
      'PROJECTS_FILE line 9, projects.trial: must have url with either tokenFile or tokenEnv, or else sandbox',
    ]);
  });

  it('OPS-11: names a file that cannot be read', () => {
    expect(problemsOf(() => configuredProjects({ PROJECTS_FILE: join(folder, 'none') }))).to.deep.equal([
      'PROJECTS_FILE names a file that cannot be read',
    ]);
  });

  const KEY = 'ab'.repeat(32);
  const SERVED = `${TWO}keys:
  - { name: etl, sha256: ${KEY}, projects: [cohort, trial], scopes: [project:read], expires: 2027-06-30 }
sessions:
  - { email: "*@hospital.example", projects: [cohort], scopes: [project:read] }
`;
  const served = (text: string, environment: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return loadSettings({ PROJECTS_FILE: file, TRIAL_TOKEN: 'F'.repeat(32), ...environment });
  };

  it('PROJ-01: gives a server every project with its own settings, and the keys and people of the file', () => {
    const { projects, app, capture, warnings } = served(SERVED);

    expect(capture).to.equal(undefined);
    expect(warnings, 'the keys of the file close the service').to.deep.equal([]);
    expect(app.access).to.include({ allowAnonymous: false, isLoopbackOnly: false });
    expect(projects?.default).to.equal('cohort');
    expect(
      [...(projects?.byName ?? [])].map(([name, { project }]) => [name, project.imports.recordIdMinLength]),
    ).to.deep.equal([
      ['cohort', 1],
      ['trial', 20],
    ]);
    expect(projects?.keys).to.deep.equal([
      {
        name: 'etl',
        sha256: KEY,
        projects: ['cohort', 'trial'],
        scopes: ['project:read'],
        expiresAt: new Date('2027-07-01T00:00:00Z'),
      },
    ]);
    expect(projects?.sessions).to.have.length(1);
  });

  it('PROJ-01: serves the one that is named, in the place of the default', () => {
    const { projects } = served(SERVED, { CAPTURE_PROJECT: 'trial' });

    expect([...(projects?.byName.keys() ?? [])]).to.deep.equal(['trial']);
    expect(projects?.default).to.equal('trial');
  });

  it('PROJ-01: takes the policy, the study and a sandbox from the file', () => {
    writeFileSync(join(folder, 'own.yaml'), 'policies: {}');
    const { projects } = served(
      `${SERVED}`
        .replace('    timeZone: Europe/Paris\n', '    policy: own.yaml\n')
        .replace('  trial:\n', '  toy: { sandbox: longitudinal, study: toy.study.yaml }\n  trial:\n'),
    );

    expect(projects?.byName.get('cohort')?.policyFile).to.equal(join(folder, 'own.yaml'));
    const toy = projects?.byName.get('toy');
    expect([toy?.sandbox.study, toy?.studyFile]).to.deep.equal([
      'longitudinal',
      join(folder, 'toy.study.yaml'),
    ]);
  });

  it('PROJ-01: refuses a sandbox in production, and policies where nobody is known', () => {
    const toy = 'version: 1\nprojects:\n  toy: { sandbox: classic }\n';
    writeFileSync(join(folder, 'own.yaml'), 'policies: {}');

    expect(
      problemsOf(() => served(toy, { NODE_ENV: 'production', ALLOW_ANONYMOUS: 'true' })).join(),
    ).to.include('projects.toy: CAPTURE_API_URL is needed in production');
    expect(problemsOf(() => served(toy, { SANDBOX: 'true' })).join()).to.match(
      /^SANDBOX must not be true[^;]*$/,
    );
    expect(problemsOf(() => served(toy.replace('classic', 'classic, policy: own.yaml'))).join()).to.include(
      'has policies, which need callers that are known',
    );
  });

  it('PROJ-01: refuses two names for one token, wherever each is kept', () => {
    expect(problemsOf(() => served(SERVED, { TRIAL_TOKEN: TOKEN }))).to.deep.equal([
      'PROJECTS_FILE projects.trial: has the same token as cohort',
    ]);
  });

  it('PROJ-01: refuses one policy file for two projects, because its lock is for one', () => {
    const two = (policy: string): string =>
      `version: 1\nprojects:\n  a: { sandbox: classic, policy: own.yaml }\n  b: { sandbox: classic, policy: ${policy} }\n`;

    expect(mistakesIn(two('./own.yaml'))).to.deep.equal([
      'PROJECTS_FILE line 4, projects.b.policy: is the same policy file, whose lock is for one project, as a',
    ]);
  });

  it('OPS-11: names the mistakes of keys and people with their lines', () => {
    const mistakes = mistakesIn(`${TWO}keys:
  - { name: etl, sha256: ${KEY}, projects: [cohrt], scopes: [project:read] }
  - { name: other, sha256: ${KEY}, projects: [trial], scopes: [project:read] }
`);

    expect(mistakes).to.deep.equal([
      'PROJECTS_FILE line 13, keys[0].projects[0]: is not one of the projects; did you mean cohort?',
      'PROJECTS_FILE line 14, keys[1]: is the same key as etl',
    ]);
    const others = mistakesIn(`${TWO}keys:
  - name: etl
    sha256: SENTINEL
    project: [cohort]
    scopes: [project:raed]
sessions:
  - { email: "Ada@Example.org", projects: [], scopes: [] }
`);
    expect(others.filter((each) => each.includes('line 14, keys[0].sha256'))).to.have.length(1);
    expect(others).to.include(
      'PROJECTS_FILE line 15, keys[0].project: is not a property; did you mean projects?',
    );
    expect(others.filter((each) => each.includes('line 16, keys[0].scopes[0]'))).to.have.length(1);
    expect(others.filter((each) => each.includes('line 18, sessions[0]'))).to.have.length(2);
    expect(printed(others)).to.not.include('SENTINEL');
  });

  it('PROJ-01: accepts the example', () => {
    const { projects } = loadSettings({ PROJECTS_FILE: 'examples/projects/projects.yaml' });

    expect([...(projects?.byName.keys() ?? [])]).to.deep.equal(['cohort', 'trial', 'register']);
  });
});

import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredProjects } from '../../../src/config/projects-file.js';
import { loadCommandSettings, loadProjectSettings, loadSettings } from '../../../src/config/settings.js';
import type { ConfigurationError } from '../../../src/errors/operator-errors.js';
import { printed } from '../../support/printed.js';

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

  it('OPS-10: serves the default project, with its token, time zone and length of ids', () => {
    const settings = loadSettings({ PROJECTS_FILE: file });

    expect(settings.capture?.url).to.equal('https://redcap.example.org/api/');
    expect(settings.capture?.token.reveal()).to.equal(TOKEN);
    expect(settings.values).to.include({ CAPTURE_TIME_ZONE: 'Europe/Paris', RECORD_ID_MIN_LENGTH: 1 });
  });

  it('OPS-08: watches the file of its token, which may be exchanged while the service runs', () => {
    const { secretFiles } = loadSettings({ PROJECTS_FILE: file });

    expect(secretFiles.map(({ name, path }) => [name, path])).to.deep.equal([
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
    expect(settings.values).to.include({ CAPTURE_TIME_ZONE: 'Europe/Lisbon', RECORD_ID_MIN_LENGTH: 20 });
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
      'PROJECTS_FILE line 7, projects.trial: must have either tokenFile or tokenEnv',
    );
    expect(mistakes[0]).to.equal('PROJECTS_FILE line 1, version: must be 1');
    expect(mistakes).to.include('PROJECTS_FILE line 2, projcts: did you mean projects?');
    expect(mistakes).to.include('PROJECTS_FILE line 9, projects.trial.tokenFlie: did you mean tokenFile?');
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
      'PROJECTS_FILE line 9, projects.trial: must have either tokenFile or tokenEnv',
    ]);
  });

  it('OPS-11: names a file that cannot be read', () => {
    expect(problemsOf(() => configuredProjects({ PROJECTS_FILE: join(folder, 'none') }))).to.deep.equal([
      'PROJECTS_FILE names a file that cannot be read',
    ]);
  });
});

import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareEnvironment } from '../../../src/config/env-file.js';
import type { ConfigurationError } from '../../../src/errors/operator-errors.js';

describe('prepareEnvironment', () => {
  const home = process.cwd();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-env-'));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });

  it('adds the settings of .env, and says which in one line', () => {
    writeFileSync('.env', '# a comment\nPORT=8080\nCAPTURE_API_TOKEN="SENTINEL"\n');
    const environment: NodeJS.ProcessEnv = { PATH: '/bin' };

    const notice = prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ PATH: '/bin', PORT: '8080', CAPTURE_API_TOKEN: 'SENTINEL' });
    expect(notice).to.match(/^Settings from \.env: [^\n]*PORT[^\n]*$/);
    expect(notice).to.not.include('SENTINEL');
  });

  it('lets the environment win, and says so', () => {
    writeFileSync('.env', 'PORT=8080\nHOST=::1\n');
    const environment: NodeJS.ProcessEnv = { PORT: '9090' };

    const notice = prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ PORT: '9090', HOST: '::1' });
    expect(notice).to.equal('Settings from .env: HOST. The environment overrides PORT.');
  });

  it("takes nothing but this package's settings, misspelt ones included", () => {
    writeFileSync('.env', 'NODE_TLS_REJECT_UNAUTHORIZED=0\nPATH=/evil\nCAPTURE_API_ULR=x\n');
    const environment: NodeJS.ProcessEnv = {};

    prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ CAPTURE_API_ULR: 'x' });
  });

  it('says nothing where there is no .env, or a folder of that name', () => {
    expect(prepareEnvironment({}, {})).to.be.undefined;
    mkdirSync('.env');
    expect(prepareEnvironment({}, {})).to.be.undefined;
  });

  it('reads the files that are named in place of .env, a later one over an earlier one', () => {
    writeFileSync('.env', 'HOST=::1\n');
    writeFileSync('a.env', 'PORT=1\nDOCS=on\n');
    writeFileSync('b.env', 'PORT=2\n');
    const environment: NodeJS.ProcessEnv = {};

    prepareEnvironment({ envFiles: ['a.env', 'b.env'] }, environment);

    expect(environment).to.deep.equal({ PORT: '2', DOCS: 'on' });
  });

  it('refuses a file that is named and cannot be read', () => {
    expect(() => prepareEnvironment({ envFiles: ['SENTINEL.env'] }, {}))
      .to.throw()
      .and.satisfy(
        ({ errors: [problem], message }: ConfigurationError) =>
          problem?.field === '--env-file' && !message.includes('SENTINEL'),
      );
  });

  it('leaves no project and no sign-in of REDCap and Appwrite where the sandbox was asked for', () => {
    writeFileSync('.env', 'CAPTURE_API_URL=x\nCAPTURE_RETRIES=0\n');
    const environment: NodeJS.ProcessEnv = {
      CAPTURE_API_TOKEN_FILE: 'x',
      APPWRITE_API_KEY: 'x',
      LOGIN_URL: 'x',
    };

    prepareEnvironment({ isSandbox: true }, environment);

    expect(environment).to.deep.equal({ CAPTURE_RETRIES: '0' });
  });
});

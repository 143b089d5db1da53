import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareEnvironment } from '../../../../src/server/config/env-file.js';
import type { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';

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

  it('adds the settings of .env and names them in one line', () => {
    writeFileSync('.env', '# a comment\nPORT=8080\nCAPTURE_API_TOKEN="SENTINEL"\n');
    const environment: NodeJS.ProcessEnv = { PATH: '/bin' };

    const notice = prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ PATH: '/bin', PORT: '8080', CAPTURE_API_TOKEN: 'SENTINEL' });
    expect(notice).to.match(/^Settings from \.env: [^\n]*PORT[^\n]*$/);
    expect(notice).to.not.include('SENTINEL');
  });

  it('lets the environment override .env, and says so', () => {
    writeFileSync('.env', 'PORT=8080\nHOST=::1\n');
    const environment: NodeJS.ProcessEnv = { PORT: '9090' };

    const notice = prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ PORT: '9090', HOST: '::1' });
    expect(notice).to.equal('Settings from .env: HOST. The environment overrides PORT.');
  });

  it('reads files with a byte order mark, as some editors write them', () => {
    for (const file of ['.env', 'named.env']) writeFileSync(file, '\ufeffPORT=8080\n');
    const [byDefault, byName]: NodeJS.ProcessEnv[] = [{}, {}];

    prepareEnvironment({}, byDefault);
    prepareEnvironment({ envFiles: ['named.env'] }, byName);

    expect(byDefault).to.deep.equal({ PORT: '8080' });
    expect(byName).to.deep.equal({ PORT: '8080' });
  });

  it('reads only settings of this package, including misspelled ones', () => {
    writeFileSync('.env', 'NODE_TLS_REJECT_UNAUTHORIZED=0\nPATH=/evil\nCAPTURE_API_ULR=x\n');
    const environment: NodeJS.ProcessEnv = {};

    prepareEnvironment({}, environment);

    expect(environment).to.deep.equal({ CAPTURE_API_ULR: 'x' });
  });

  it('reports nothing if .env is missing or a folder', () => {
    expect(prepareEnvironment({}, {})).to.be.undefined;
    mkdirSync('.env');
    expect(prepareEnvironment({}, {})).to.be.undefined;
  });

  it('reads the named files in place of .env, with later files overriding earlier ones', () => {
    writeFileSync('.env', 'HOST=::1\n');
    writeFileSync('a.env', 'PORT=1\nDOCS=on\n');
    writeFileSync('b.env', 'PORT=2\n');
    const environment: NodeJS.ProcessEnv = {};

    prepareEnvironment({ envFiles: ['a.env', 'b.env'] }, environment);

    expect(environment).to.deep.equal({ PORT: '2', DOCS: 'on' });
  });

  it('refuses a named file that cannot be read, without repeating its name', () => {
    expect(() => prepareEnvironment({ envFiles: ['SENTINEL.env'] }, {}))
      .to.throw()
      .and.satisfy(
        ({ errors: [problem], message }: ConfigurationError) =>
          problem?.field === '--env-file' && !message.includes('SENTINEL'),
      );
  });

  it('removes the settings of REDCap and Appwrite if the sandbox was requested', () => {
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

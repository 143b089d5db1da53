import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/is-built.mjs', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('The build of a clone', () => {
  let root: string;
  const write = (path: string, text = ''): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const run = (...args: string[]): number | null =>
    spawnSync(process.execPath, [join(root, 'scripts/is-built.mjs'), ...args]).status;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'crf-build-'));
    mkdirSync(join(root, 'scripts'));
    cpSync(SCRIPT, join(root, 'scripts/is-built.mjs'));
    for (const source of ['tsoa.json', 'tsconfig.json', 'tsconfig.build.json', 'package.json']) write(source);
    write('src/deep/a.ts', 'export {};');
    for (const result of ['openapi.json', 'operations.json', 'openapi-types.ts', 'routes.ts'])
      write(`build/${result}`);
    for (const result of ['src/index.js', 'bin/server.js']) write(`build/dist/${result}`);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is missing before the first build', () => {
    expect(run()).to.equal(1);
  });

  it('is up to date after a build, whatever the dates of the files', () => {
    run('--record');
    utimesSync(join(root, 'src/deep/a.ts'), new Date(), new Date());

    expect(run()).to.equal(0);
  });

  for (const [change, make] of [
    ['a source changes', () => write('src/deep/a.ts', 'export const a = 1;')],
    ['a source is added', () => write('src/b.ts')],
    ['a source is removed', () => rmSync(join(root, 'src/deep/a.ts'))],
    ['the settings of the compiler change', () => write('tsconfig.json', '{}')],
    ['a result is removed', () => rmSync(join(root, 'build/openapi.json'))],
  ] as const) {
    it(`is out of date if ${change}`, () => {
      run('--record');
      make();

      expect(run()).to.equal(1);
    });
  }

  for (const script of ['prepare', 'prestart', 'pretest']) {
    it(`is not repeated by \`${script}\` if nothing has changed`, () => {
      expect(manifest.scripts[script]).to.equal('node scripts/is-built.mjs || npm run build');
    });
  }
});

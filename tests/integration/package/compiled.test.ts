import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { builtFile } from '../../support/built-file.js';

/** What `load.js` of the bundle exports for the build. */
interface Loader {
  readonly scriptOf: (name: string, source: string) => Script;
}

const { scriptOf } = createRequire(import.meta.url)(builtFile('bin/load.js')) as Loader;

/** Prints which files of an entry point's compiled code V8 accepts, and which it rejects. */
const LIST_ACCEPTED = `
  const { readdirSync } = require('node:fs');
  const [loader, entry] = process.argv.slice(1);
  const { compiledFolder, isAccepted } = require(loader);
  const folder = compiledFolder(entry);
  const lists = { accepted: [], rejected: [] };
  for (const file of readdirSync(folder)) {
    const name = file.replace(/\\.bin$/, '');
    lists[isAccepted(folder, name) ? 'accepted' : 'rejected'].push(name);
  }
  console.log(JSON.stringify(lists));
`;

/** Runs `crf` and prints the files of the bundle that Node's own loader has loaded. */
const RUN_AND_LIST_LOADED = `
  require(process.argv[1]).run('crf');
  process.on('exit', () => {
    for (const file of Object.keys(require.cache)) console.log(require('node:path').basename(file));
  });
`;

/** Copies the bundle and its compiled code; the copy runs without the packages beside it. */
function copyOfBundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crf-compiled-'));
  cpSync(builtFile('bin'), join(folder, 'dist/bin'), { recursive: true });
  cpSync(builtFile('../compiled'), join(folder, 'compiled'), { recursive: true });
  return folder;
}

describe('The compiled code of the bundle', function () {
  this.timeout(60_000);

  for (const entry of ['crf', 'server']) {
    it(`is accepted by V8: ${entry}`, () => {
      // In a process of its own: flags that another test sets would make V8 reject all of it.
      const listing = execFileSync(
        process.execPath,
        ['--eval', LIST_ACCEPTED, builtFile('bin/load.js'), entry],
        {
          encoding: 'utf8',
          env: { PATH: process.env.PATH ?? '' },
        },
      );
      const { accepted, rejected } = JSON.parse(listing) as Record<'accepted' | 'rejected', string[]>;

      expect(accepted).to.include(`${entry}-main.js`);
      expect(rejected).to.deep.equal([]);
    });
  }

  it('is what the command line runs, instead of files that Node compiles', () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--eval', RUN_AND_LIST_LOADED, builtFile('bin/load.js'), 'version', '--sandbox', '--quiet'],
      { encoding: 'utf8', env: { PATH: process.env.PATH ?? '' } },
    );

    expect(status).to.equal(0);
    expect(stdout).to.equal('16.1.9\nload.js\n');
  });

  it('keeps the names of files, lines and columns in the stack of an error', () => {
    const source = "exports.fail = () => { throw new Error('on purpose'); };";
    const module = { exports: {} as { fail(): never } };
    const run = scriptOf('made-up.js', source).runInThisContext() as (exports: object) => void;
    run(module.exports);

    let stack = '';
    try {
      module.exports.fail();
    } catch (error) {
      stack = (error as Error).stack ?? '';
    }

    expect(stack).to.include(`${builtFile('bin/made-up.js')}:1:${source.indexOf('new Error') + 1}`);
  });

  describe('if it cannot be used', () => {
    let folder: string;
    beforeEach(() => (folder = copyOfBundle()));
    afterEach(() => rmSync(folder, { recursive: true }));

    const run = (
      options: readonly string[] = [],
    ): { status: number | null; stdout: string; stderr: string } => {
      const crf = join(folder, 'dist/bin/crf.js');
      const env = { PATH: process.env.PATH ?? '' };
      return spawnSync(process.execPath, [...options, crf, 'version', '--sandbox', '--quiet'], {
        encoding: 'utf8',
        env,
      });
    };
    const compiledFolder = (): string => {
      const [name = ''] = readdirSync(join(folder, 'compiled')).filter((entry) => entry.startsWith('crf-'));
      return join(folder, 'compiled', name);
    };
    /** Changes the compiled code of each file of the bundle that the pattern matches. */
    const change = (pattern: RegExp, to: (code: Buffer) => Buffer): void => {
      for (const name of readdirSync(compiledFolder()).filter((file) => pattern.test(file))) {
        const path = join(compiledFolder(), name);
        writeFileSync(path, to(readFileSync(path)));
      }
    };
    const main = (): string => join(folder, 'dist/bin/crf-main.js');

    for (const [what, make] of [
      ['there is none', () => rmSync(join(folder, 'compiled'), { recursive: true })],
      ['its files are empty', () => change(/./, () => Buffer.alloc(0))],
      ['its files end too early', () => change(/./, (code) => code.subarray(0, code.length / 2))],
      ['files other than the first end too early', () => change(/chunk/, (code) => code.subarray(0, 1000))],
      ['its files are something else', () => change(/./, ({ length }) => Buffer.alloc(length, 'text'))],
      ['it belongs to another build', () => writeFileSync(main(), `;${readFileSync(main(), 'utf8')}`)],
    ] as const) {
      it(`the command line runs without it: ${what}`, () => {
        make();

        expect(run()).to.deep.include({ status: 0, stderr: '', stdout: '16.1.9\n' });
      });
    }

    it('the command line runs without it: V8 has other flags than in the build', () => {
      expect(run(['--max-old-space-size=300', '--stack-size=900'])).to.deep.include({
        status: 0,
        stdout: '16.1.9\n',
      });
    });
  });
});

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
  readonly scriptOf: (source: string, filename: string, compiled: Buffer | undefined) => Script;
}

const { scriptOf } = createRequire(import.meta.url)(builtFile('bin/load.js')) as Loader;

/** Prints which files of the bundle have compiled code that V8 accepts, and which that it rejects. */
const LIST_ACCEPTED = `
  const { readdirSync, readFileSync } = require('node:fs');
  const [folder, entry] = process.argv.slice(1);
  const { readCompiled, scriptOf } = require(folder + '/load.js');
  const compiled = readCompiled(entry);
  const lists = { accepted: [], rejected: [] };
  for (const name of readdirSync(folder)) {
    const code = compiled(name);
    if (code === undefined) continue;
    const filename = folder + '/' + name;
    const { cachedDataRejected } = scriptOf(readFileSync(filename, 'utf8'), filename, code);
    lists[cachedDataRejected ? 'rejected' : 'accepted'].push(name);
  }
  console.log(JSON.stringify(lists));
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
      const listing = execFileSync(process.execPath, ['--eval', LIST_ACCEPTED, builtFile('bin'), entry], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '' },
      });
      const { accepted, rejected } = JSON.parse(listing) as Record<'accepted' | 'rejected', string[]>;

      expect(accepted).to.include(`${entry}-main.js`);
      expect(rejected).to.deep.equal([]);
    });
  }

  it('keeps the names of files, lines and columns in the stack of an error', () => {
    const source = "exports.fail = () => { throw new Error('on purpose'); };";
    const filename = '/made-up/file.js';
    const module = { exports: {} as { fail(): never } };
    const run = scriptOf(source, filename, undefined).runInThisContext() as (exports: object) => void;
    run(module.exports);

    let stack = '';
    try {
      module.exports.fail();
    } catch (error) {
      stack = (error as Error).stack ?? '';
    }

    expect(stack).to.include(`${filename}:1:${source.indexOf('new Error') + 1}`);
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
    const compiledFile = (): string => {
      const [name = ''] = readdirSync(join(folder, 'compiled')).filter((file) => file.startsWith('crf-'));
      return join(folder, 'compiled', name);
    };

    for (const [what, make] of [
      ['there is none', () => rmSync(join(folder, 'compiled'), { recursive: true })],
      ['its file is empty', () => writeFileSync(compiledFile(), '')],
      ['its file has no index', () => writeFileSync(compiledFile(), 'no index\n')],
      [
        'its file ends too early',
        () => writeFileSync(compiledFile(), readFileSync(compiledFile()).subarray(0, 20_000)),
      ],
      [
        'it belongs to another build',
        () => writeFileSync(join(folder, 'dist/bin/crf-main.js'), sourceOfMain().replace(/^/, ';')),
      ],
    ] as const) {
      it(`the command line runs without it: ${what}`, () => {
        make();

        expect(run()).to.deep.include({ status: 0, stderr: '', stdout: '16.1.9\n' });
      });
    }

    const sourceOfMain = (): string => readFileSync(join(folder, 'dist/bin/crf-main.js'), 'utf8');

    it('V8 has other flags than in the build', () => {
      expect(run(['--max-old-space-size=300', '--stack-size=900'])).to.deep.include({
        status: 0,
        stdout: '16.1.9\n',
      });
    });
  });
});

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrf, type CrfRun } from '../../support/run-crf.js';

describe('crf types', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-types-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const types = (...args: string[]): Promise<CrfRun> =>
    runCrf(['types', '--sandbox', ...args], { cwd: folder });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('writes the types to a file, and replaces them when they are outdated', async () => {
    writeFileSync(join(folder, 'project.ts'), '/* Made by `crf types` for another project. */\n');

    const { exitCode, stdout, stderr } = await types('-o', 'project.ts');

    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 0, stdout: '' });
    expect(stderr).to.match(/^Wrote the types of \d+ fields to project\.ts\.$/m);
    expect(read('project.ts')).to.match(
      /^\/\* Made by `crf types` for the project 'Cohort 2026 \(synthetic\)'/,
    );
  });

  it('does not replace another file', async () => {
    writeFileSync(join(folder, 'study.ts'), 'export interface Project {}\n');

    const { exitCode, stderr } = await types('-o', 'study.ts');

    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/^study\.ts exists, and was not made by crf types\. .*nothing was written\.$/m);
    expect(read('study.ts')).to.equal('export interface Project {}\n');
  });

  it('writes to a named pipe without reading from it', async () => {
    const pipe = join(folder, 'types');
    execFileSync('mkfifo', [pipe]);

    const [{ exitCode }, written] = await Promise.all([types('-o', 'types'), readFile(pipe, 'utf8')]);

    expect(exitCode).to.equal(0);
    expect(written).to.match(/^\/\* Made by `crf types`/);
  });

  it('compares a file with the project, and says whether it has changed', async () => {
    await types('-o', 'project.ts');
    const current = await types('--check', 'project.ts');
    writeFileSync(join(folder, 'project.ts'), read('project.ts').replace(/^ {2}age: .*$/m, ''));

    const outdated = await types('--check', 'project.ts');

    expect(current).to.include({ exitCode: 0, stdout: '' });
    expect(current.stderr).to.include('project.ts is up to date.');
    expect(outdated.exitCode).to.equal(1);
    expect(outdated.stderr).to.match(/^The project has changed since project\.ts was written\. /m);
    writeFileSync(join(folder, 'other.ts'), 'export const x = 1;\n');
    const other = await types('--check', 'other.ts');
    expect(other.exitCode).to.equal(1);
    expect(other.stderr).to.include('other.ts was not made by crf types.');
  });
});

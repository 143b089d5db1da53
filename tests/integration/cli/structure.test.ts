import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDictionaryCsv } from '../../../src/domain/dictionary/dictionary-csv.js';
import { builtFile } from '../../support/built-file.js';
import { runCrf, spawnCrf } from '../../support/run-crf.js';

/** Prints what a shell offers for the words of a command line, the last of which may be incomplete. */
const ASKING = {
  bash: `source "$SHELL_SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _crf_yargs_completions
    if (( \${#COMPREPLY[@]} )); then printf '%s\\n' "\${COMPREPLY[@]}"; else compgen -f; fi`,
  zsh: `compdef() { }; _describe() { print -rl -- $reply }; _default() { print -rl -- * }
    source "$SHELL_SCRIPT"; words=("$@"); CURRENT=$#; _crf_yargs_completions`,
} as const;

describe('crf commands that describe a project', function () {
  this.timeout(60_000);

  it('describe the project in words', async () => {
    const { exitCode, stdout } = await runCrf(['info', '--sandbox']);

    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^Cohort 2026 \(synthetic\)\n {2}Project +1, made on/);
    expect(stdout).to.not.match(/isLongitudinal|undefined|true|false/);
  });

  it('list the fields as a table, as JSON and as a data dictionary', async () => {
    const [table, json, csv] = await Promise.all(
      [[], ['--json'], ['--csv']].map((form) => runCrf(['fields', '--sandbox', ...form])),
    );

    expect(table?.stdout).to.match(
      /^FIELD +INSTRUMENT +TYPE +REQUIRED +LABEL +CHOICES\nrecord_id +enrollment +text +/,
    );
    const fields = JSON.parse(json?.stdout ?? '') as { name: string }[];
    expect(fields[0]?.name).to.equal('record_id');
    expect(await parseDictionaryCsv(csv?.stdout ?? '')).to.deep.equal(fields);
  });

  it('list the instruments with their number of fields', async () => {
    const { stdout } = await runCrf(['instruments', '--sandbox', '--csv']);

    expect(stdout).to.match(/^instrument,fields,label\nenrollment,10,Enrollment\n/);
  });

  describe('crf completion', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'crf-completion-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    /** yargs takes the shell of the environment. */
    const scriptOf = (shell: string) => spawnCrf(['completion'], { environment: { SHELL: `/bin/${shell}` } });

    for (const shell of ['bash', 'zsh']) {
      it(`prints a script that ${shell} can read`, async () => {
        const { exitCode, stdout } = await scriptOf(shell);

        expect(exitCode).to.equal(0);
        expect(stdout).to.include('--get-yargs-completions');
        if (!isInstalled(shell)) return;
        writeFileSync(join(folder, shell), stdout);
        execFileSync(shell, ['-n', join(folder, shell)]);
      });
    }

    for (const [shell, asking] of Object.entries(ASKING)) {
      (isInstalled(shell) ? it : it.skip)(`completes values, options and files in ${shell}`, async () => {
        writeFileSync(join(folder, `of.${shell}`), (await scriptOf(shell)).stdout);
        writeFileSync(
          join(folder, 'crf'),
          `#!/bin/sh\nexec '${process.execPath}' '${builtFile('bin/crf.js')}' "$@"\n`,
        );
        chmodSync(join(folder, 'crf'), 0o755);
        writeFileSync(join(folder, 'some records.csv'), '');
        const ask = (...words: string[]): string[] =>
          execFileSync(shell, ['-c', asking, shell, ...words], {
            cwd: folder,
            env: { PATH: `${folder}:${process.env.PATH ?? ''}`, HOME: folder, SHELL_SCRIPT: `of.${shell}` },
            encoding: 'utf8',
          })
            .split('\n')
            .map((line) => line.replace(/[\t:].*/, ''))
            .filter((line) => line !== '');

        expect(ask('crf', 'export', '--format', '')).to.have.members([
          'csv',
          'dataset-json',
          'json',
          'ndjson',
        ]);
        expect(ask('crf', 'import', 'x.csv', '--dr')).to.include('--dry-run');
        for (const words of [['import'], ['export', '-o']])
          expect(ask('crf', ...words, ''))
            .to.include('some records.csv')
            .and.not.include('--quiet');
      });
    }

    it('completes commands, options and their values', async () => {
      const ask = async (...words: string[]): Promise<string[]> =>
        (await runCrf(['--get-yargs-completions', 'crf', ...words])).stdout.trim().split('\n');

      expect(await ask('comp')).to.include('completion');
      expect(await ask('export', '--s')).to.include.members(['--sandbox', '--spreadsheet-safe']);
      expect(await ask('import', 'x.csv', '')).to.deep.equal(['']);
      expect(await ask('export', '--format', '')).to.deep.equal(['json', 'ndjson', 'csv', 'dataset-json']);
    });
  });
});

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit 0']);
    return true;
  } catch {
    return false;
  }
}

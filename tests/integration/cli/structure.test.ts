import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDictionaryCsv } from '../../../src/domain/dictionary/dictionary-csv.js';
import type { Row } from '../../../src/cli/lists.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { builtFile } from '../../support/built-file.js';
import { runCrf, spawnCrf } from '../../support/run-crf.js';
import { armsStudy } from '../../support/studies.js';

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

  it('list only the fields, arms and export field names that are asked for', async () => {
    const sandbox = await startRedcapSandbox({ study: armsStudy() });
    const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: DEMO_TOKEN };
    const listed = async (property: string, ...args: string[]): Promise<unknown[]> => {
      const { stdout } = await runCrf([...args, '--json'], { environment });
      return (JSON.parse(stdout) as Row[]).map((row) => row[property]);
    };

    expect(await listed('name', 'fields', '--fields', 'id,half')).to.deep.equal(['id', 'half']);
    expect(await listed('name', 'fields', '--forms', 'meds')).to.deep.equal(['drug']);
    expect(await listed('number', 'arms', '--arms', '2')).to.deep.equal([2]);
    expect(await listed('uniqueName', 'events', '--arms', '2')).to.deep.equal(['start_arm_2']);
    expect(await listed('event', 'mappings', '--arms', '2')).to.deep.equal(['start_arm_2']);
    const columns = await listed('column', 'export-field-names', '--field', 'marks');
    expect(columns).to.deep.equal(['marks___aa', 'marks___2', 'marks___unk', 'marks____9']);
    await sandbox.close();
  });

  it('refuse an empty choice, and an arm that is no number', async () => {
    for (const [message, ...args] of [
      ['--arms is empty', 'arms', '--arms', ' '],
      ['--forms is empty', 'fields', '--forms', ''],
      ['two must be the number of an arm', 'events', '--arms', '1', 'two'],
    ] as const) {
      const { exitCode, stderr } = await runCrf([...args, '--sandbox']);

      expect(exitCode).to.equal(2);
      expect(stderr).to.include(message);
    }
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

        expect(ask('crf', 'export', '--format', '')).to.have.members(['csv', 'json', 'ndjson']);
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
      expect(await ask('export', '--format', '')).to.deep.equal(['json', 'ndjson', 'csv']);
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

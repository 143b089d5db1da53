import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDictionaryCsv } from '../../../src/dictionary/dictionary-csv.js';
import { runCrf } from '../../support/run-crf.js';

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
    expect(parseDictionaryCsv(csv?.stdout ?? '')).to.deep.equal(fields);
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

    for (const shell of ['bash', 'zsh', 'fish']) {
      it(`prints a script that ${shell} can read`, async () => {
        const { exitCode, stdout } = await runCrf(['completion', shell]);

        expect(exitCode).to.equal(0);
        expect(stdout).to.include(`# ${shell} completion of crf\n`);
        if (!isInstalled(shell)) return;
        writeFileSync(join(folder, shell), stdout);
        execFileSync(shell, ['-n', join(folder, shell)]);
      });
    }

    it('completes commands, options and their values', async () => {
      const ask = async (...words: string[]): Promise<string[]> =>
        (await runCrf(['--get-yargs-completions', 'crf', ...words])).stdout.trim().split('\n');

      expect(await ask('comp')).to.include('completion');
      expect(await ask('export', '--s')).to.include.members(['--sandbox', '--spreadsheet-safe']);
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

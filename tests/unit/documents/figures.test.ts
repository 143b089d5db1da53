import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  mergeFigures,
  mutationFigures,
  readFigures,
  writeFigures,
  type Figure,
} from '../../../scripts/figures.js';

const PAGE =
  '# Figures\n\n<!-- figures -->\n\n| What | Measured | Aim | Date |\n| --- | --- | --- | --- |\n| export | 0.9 | ≥ 0.8 | 2026-11-01 |\n| import | 2 s |  | 2026-11-01 |\n\n<!-- /figures -->\n';

describe('the table of figures', () => {
  it('replaces what was measured again, keeps what was not, and ends with what is new', () => {
    const measured: Figure[] = [
      { what: 'import', measured: '3 s', aim: '', date: '2026-11-02' },
      { what: 'start', measured: '0.3 s', aim: '', date: '2026-11-02' },
    ];
    const merged = readFigures(writeFigures(PAGE, mergeFigures(readFigures(PAGE), measured)));
    expect(merged.map(({ what, measured, date }) => [what, measured, date])).to.deep.equal([
      ['export', '0.9', '2026-11-01'],
      ['import', '3 s', '2026-11-02'],
      ['start', '0.3 s', '2026-11-02'],
    ]);
  });

  it('changes nothing of the page when nothing was measured', () => {
    expect(writeFigures(PAGE, mergeFigures(readFigures(PAGE), []))).to.equal(PAGE);
  });

  it('has a line for each part that mutation tests measured, without mutants that do not compile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutation-'));
    const reportOf = (...statuses: string[]) =>
      JSON.stringify({ files: { 'src/a.ts': { mutants: statuses.map((status) => ({ status })) } } });
    await writeFile(join(folder, 'access.json'), reportOf('Killed', 'Timeout', 'Survived', 'CompileError'));
    await writeFile(join(folder, 'audit.json'), reportOf('Killed', 'NoCoverage', 'Ignored'));
    await writeFile(join(folder, 'audit.html'), '');

    const figures = mutationFigures(folder);
    await rm(folder, { recursive: true });

    expect(figures.map(({ what, measured }) => [what, measured])).to.deep.equal([
      ['mutants found by a test: `access`', '66 % of 3'],
      ['mutants found by a test: `audit`', '50 % of 2'],
    ]);
    expect(mutationFigures(folder), 'a folder that is not there').to.deep.equal([]);
  });

  it('has a date and a measurement on every line of the page', () => {
    const figures = readFigures(readFileSync('docs/figures.md', 'utf8'));
    expect(figures).to.not.be.empty;
    for (const { what, measured, date } of figures) {
      expect(measured, what).to.not.equal('');
      expect(date, what).to.match(/^\d{4}-\d{2}-\d{2}$/);
    }
  });
});

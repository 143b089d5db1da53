import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemReport } from '../../../../src/cli/files/problem-report.js';

describe('ProblemReport', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-report-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is readable only by its owner, even if the existing file was readable by others', () => {
    const path = join(folder, 'problems.csv');
    writeFileSync(path, 'line,row,record,column,problem,suggestion\n9,8,A,age,older,\n', { mode: 0o644 });

    const report = new ProblemReport(path, process.stdout);
    report.add({ line: 2, row: 0, record: '=1', field: 'age', message: 'must be a number' });
    report.close();

    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path, 'utf8')).to.equal(
      "line,row,record,column,problem,suggestion\n2,0,'=1,age,must be a number,\n",
    );
  });

  it('does not replace a file that is not a report, such as the imported one', () => {
    const path = join(folder, 'records.csv');
    writeFileSync(path, 'record_id,age\n1,42\n');

    expect(() => new ProblemReport(path, process.stdout)).to.throw(
      /records\.csv exists, and is not a report of problems/,
    );
    expect(readFileSync(path, 'utf8')).to.equal('record_id,age\n1,42\n');
  });

  it('writes nothing through a link, whether something is behind it or not', () => {
    const [path, other] = [join(folder, 'problems.csv'), join(folder, 'other.csv')];
    symlinkSync(other, path);
    expect(() => new ProblemReport(path, process.stdout)).to.throw('--report must name a file, not a link');
    expect(existsSync(other)).to.equal(false);

    writeFileSync(other, '', { mode: 0o644 });
    expect(() => new ProblemReport(path, process.stdout)).to.throw('--report must name a file, not a link');
    expect(statSync(other).mode & 0o777).to.equal(0o644);
  });

  it('replaces an empty file', () => {
    const path = join(folder, 'empty.csv');
    writeFileSync(path, '');

    new ProblemReport(path, process.stdout).close();

    expect(readFileSync(path, 'utf8')).to.equal('line,row,record,column,problem,suggestion\n');
  });

  (existsSync('/dev/full') ? it : it.skip)('goes on when the disk is full, and says so at the end', () => {
    const report = new ProblemReport('/dev/full', process.stdout);
    for (let row = 1; row < 5000; row++)
      report.add({ line: row + 1, row, record: '1', field: 'age', message: 'x' });
    report.close();

    expect(report.count).to.equal(4999);
    expect(report.failure).to.equal('The report /dev/full could not be written (ENOSPC). It is incomplete.');
  });
});

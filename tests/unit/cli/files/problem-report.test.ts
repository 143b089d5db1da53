import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
    writeFileSync(path, 'an older report', { mode: 0o644 });

    const report = new ProblemReport(path);
    report.add({ line: 2, row: 0, record: '=1', field: 'age', message: 'must be a number' });
    report.close();

    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path, 'utf8')).to.equal(
      "line,row,record,column,problem,suggestion\n2,0,'=1,age,must be a number,\n",
    );
  });
});

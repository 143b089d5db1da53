import { expect } from 'chai';
import { spreadsheetCell } from '../../../../src/records/formats/csv-formula-guard.js';

describe('spreadsheetCell', () => {
  for (const [text, cell] of [
    ['plain', 'plain'],
    ['', ''],
    ['a = b', 'a = b'],
    ['=1+1', "'=1+1"],
    ['+1', '+1'],
    ['-1.5', '-1.5'],
    ['-1+cmd', "'-1+cmd"],
    ['\0=1', "'\0=1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=a,"b"', `"'=a,""b"""`],
    ['two\nlines', '"two\nlines"'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(cell)}`, () => {
      expect(spreadsheetCell(text)).to.equal(cell);
    });
  }
});

import { expect } from 'chai';
import { type Column, terminalWidth, toCsv, toTable } from '../../../../src/cli/printing/table.js';

const COLUMNS: readonly Column<{ name: string; label: string }>[] = [
  { title: 'name', cell: ({ name }) => name },
  { title: 'label', cell: ({ label }) => label },
];

describe('toTable', () => {
  it('aligns its columns, including wide characters', () => {
    const rows = [
      { name: 'age', label: 'Age' },
      { name: '年齢', label: 'x' },
    ];

    expect(toTable(rows, COLUMNS)).to.equal('NAME  LABEL\nage   Age\n年齢  x\n');
  });

  it('splits a camel-case title into words', () => {
    expect(toTable([], [{ title: 'uniqueName', cell: () => '' }])).to.equal('UNIQUE NAME\n');
  });

  it('truncates to the width of the terminal, and not at all without one', () => {
    const rows = [{ name: 'age', label: 'How old are you?' }];

    expect(toTable(rows, COLUMNS, 12)).to.equal('NAME  LABEL\nage   How o…\n');
    expect(toTable(rows, COLUMNS)).to.include('How old are you?');
  });

  it('strips HTML and control characters', () => {
    const rows = [{ name: 'a\u001b]0;title\u0007\nb', label: '<b>1 < 2</b>\u202e' }];

    expect(toTable(rows, COLUMNS)).to.equal('NAME          LABEL\na ]0;title b  1 < 2\n');
  });
});

describe('toCsv', () => {
  it('writes no text that a spreadsheet takes for a formula, also in a title', () => {
    expect(toCsv([{ name: '=1+1', label: '-5' }], COLUMNS)).to.equal("name,label\n'=1+1,-5\n");
  });

  it('writes other values unchanged', () => {
    expect(toCsv([{ name: 'a', label: '<b>1, "2"</b>' }], COLUMNS)).to.equal(
      'name,label\na,"<b>1, ""2""</b>"\n',
    );
  });
});

describe('terminalWidth', () => {
  it('is the width that the terminal reports', () => {
    expect(terminalWidth({ columns: 120 })).to.equal(120);
  });

  it('is unknown if the terminal reports 0, so that a table is not truncated to nothing', () => {
    expect(terminalWidth({ columns: 0 })).to.equal(undefined);
  });

  it('is unknown without a terminal', () => {
    expect(terminalWidth({})).to.equal(undefined);
  });
});

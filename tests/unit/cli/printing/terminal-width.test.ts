import { expect } from 'chai';
import { terminalWidth } from '../../../../src/cli/printing/terminal-width.js';

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

import { expect } from 'chai';
import { terminalWidth } from '../../../src/cli/terminal-width.js';

describe('terminalWidth', () => {
  it('is what the terminal says', () => {
    expect(terminalWidth({ columns: 120 })).to.equal(120);
  });

  it('B6: is unknown where the terminal says 0, so that a table is not cut to nothing', () => {
    expect(terminalWidth({ columns: 0 })).to.equal(undefined);
  });

  it('is unknown where there is no terminal', () => {
    expect(terminalWidth({})).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { isAnimated } from '../../../src/config/terminal.js';

const terminal = { isTTY: true };

describe('isAnimated', () => {
  it('CLI-01: is for a terminal alone, and not for a pipe', () => {
    expect(isAnimated(terminal, {})).to.be.true;
    expect(isAnimated({}, {})).to.be.false;
  });

  it('CLI-01: obeys NO_COLOR when it is not empty', () => {
    expect(isAnimated(terminal, { NO_COLOR: '1' })).to.be.false;
    expect(isAnimated(terminal, { NO_COLOR: '' })).to.be.true;
  });

  it('leaves a terminal alone that cannot', () => {
    expect(isAnimated(terminal, { TERM: 'dumb' })).to.be.false;
  });
});

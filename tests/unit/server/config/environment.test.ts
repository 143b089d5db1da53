import { expect } from 'chai';
import { isAnimated } from '../../../../src/server/config/environment.js';

const terminal = { isTTY: true };

describe('isAnimated', () => {
  it('CLI-01: is true for a terminal and false for a pipe', () => {
    expect(isAnimated(terminal, {})).to.be.true;
    expect(isAnimated({}, {})).to.be.false;
  });

  it('CLI-01: respects NO_COLOR if it is not empty', () => {
    expect(isAnimated(terminal, { NO_COLOR: '1' })).to.be.false;
    expect(isAnimated(terminal, { NO_COLOR: '' })).to.be.true;
  });

  it('is false for a dumb terminal', () => {
    expect(isAnimated(terminal, { TERM: 'dumb' })).to.be.false;
  });
});

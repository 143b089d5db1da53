import { expect } from 'chai';
import { eventLabel } from '../../../../src/domain/dictionary/labels.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

describe('eventLabel', () => {
  it('leaves out the name of the arm, which may have parentheses and line breaks of its own', () => {
    expect(eventLabel('Visit 1 (Arm 2: Drug (new)\nand more)')).to.equal('Visit 1 (Arm 2)');
    expect(eventLabel('Visit 1 (Arm 2: Drug')).to.equal('Visit 1 (Arm 2: Drug');
    expect(eventLabel('Visit 1')).to.equal('Visit 1');
  });

  for (const end of ['', ')', ')x'])
    it(`takes linear time for beginnings of arms again and again, with "${end}" behind them`, () => {
      expect(cpuMsOf(() => eventLabel(' (Arm 1: '.repeat(100_000) + end))).to.be.below(1_000);
    });
});

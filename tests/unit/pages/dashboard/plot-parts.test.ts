import { expect } from 'chai';
import { MOST_LETTERS } from '../../../../src/pages/dashboard/bar-plot.js';
import { cut } from '../../../../src/pages/dashboard/plot-parts.js';
import { LANGUAGES } from '../../../../src/pages/texts/texts.js';

describe('cut', () => {
  it('shortens a text to the number of characters', () => {
    expect(cut('Adverse events', 14)).to.equal('Adverse events');
    expect(cut('Adverse events', 9)).to.equal('Adverse…');
  });

  it('leaves the rules of every language whole beside their bars', () => {
    for (const { study } of Object.values(LANGUAGES))
      for (const rule of Object.values(study.rules)) expect(cut(rule, MOST_LETTERS)).to.equal(rule);
  });

  it('never splits a character', () => {
    expect(cut('a😀😀😀😀', 3)).to.equal('a😀…');
  });
});

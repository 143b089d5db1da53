import { expect } from 'chai';
import { plain } from '../../../../src/services/summary/plain-label.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

describe('plain', () => {
  it('removes tags', () => {
    expect(plain('<p class="x">Age at <b>consent</b><br/></p>\n')).to.equal('Age at consent');
  });

  it('keeps signs of comparison', () => {
    expect(plain('BMI <25 or >30')).to.equal('BMI <25 or >30');
    expect(plain('<i>a</i> < b, c > d')).to.equal('a < b, c > d');
  });

  it('takes time linear in the length of the label', () => {
    for (const part of ['<', '<a', '</']) {
      const label = part.repeat(50_000);

      // Searching the rest of the label for each sign takes seconds.
      expect(cpuMsOf(() => plain(label))).to.be.below(1_500);
    }
  });
});

import { expect } from 'chai';
import { withoutTags } from '../../../../src/domain/dictionary/without-tags.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

describe('withoutTags', () => {
  it('removes tags', () => {
    expect(withoutTags('<p class="x">Age at <b>consent</b><br/></p>\n')).to.equal('Age at consent');
  });

  it('keeps signs of comparison', () => {
    expect(withoutTags('BMI <25 or >30')).to.equal('BMI <25 or >30');
    expect(withoutTags('<i>a</i> < b, c > d')).to.equal('a < b, c > d');
  });

  it('separates words only where a tag breaks the line', () => {
    expect(withoutTags('Weight<br>in kg')).to.equal('Weight in kg');
    expect(withoutTags('<div>H<sub>2</sub>O</div>\n<div>in   ml</div>')).to.equal('H2O in ml');
  });

  it('takes time linear in the length of the label', () => {
    for (const part of ['<', '<a', '</', '<br', '<p ']) {
      const label = part.repeat(50_000);

      // Searching the rest of the label for each sign takes seconds.
      expect(cpuMsOf(() => withoutTags(label))).to.be.below(1_500);
    }
  });
});

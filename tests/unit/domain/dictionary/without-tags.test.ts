import { expect } from 'chai';
import { shownApart, withoutTags } from '../../../../src/domain/dictionary/without-tags.js';
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

describe('shownApart', () => {
  it('writes out the blanks of two values that only blanks tell apart', () => {
    expect(shownApart('Grüße', ' Grüße')).to.deep.equal(['Grüße', '␣Grüße']);
    expect(shownApart('a b', 'a  b\n')).to.deep.equal(['a␣b', 'a␣␣b\\n']);
  });

  it('names characters that nobody sees', () => {
    expect(shownApart('5 mg', '5\u00a0mg')).to.deep.equal(['5␣mg', '5\\u{a0}mg']);
    expect(shownApart('A', 'A\u200b')).to.deep.equal(['A', 'A\\u{200b}']);
  });

  it('leaves values as they are that look different', () => {
    expect(shownApart(' one', 'other')).to.deep.equal([' one', 'other']);
    expect(shownApart('', 'a b')).to.deep.equal(['', 'a b']);
  });
});

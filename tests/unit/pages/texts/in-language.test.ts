import { expect } from 'chai';
import { ENGLISH, GERMAN } from '../../../../src/pages/texts/in-language.js';

describe('The numbers and days of a language', () => {
  for (const [value, english, german] of [
    [12500, '12,500', '12.500'],
    [1985, '1985', '1985'],
    [-3.14159, '-3.142', '-3,142'],
    [0.0015, '0.0015', '0,0015'],
    [-0, '0', '0'],
    [-0.0000001, '-1e-7', '-1e-7'],
    [2.5e-9, '2.5e-9', '2,5e-9'],
    [1e20, '1e20', '1e20'],
  ] as const) {
    it(`say ${english} and ${german}, which is neither rounded to zero nor endless`, () => {
      expect(ENGLISH.number(value)).to.equal(english);
      expect(GERMAN.number(value)).to.equal(german);
    });
  }

  it('keep what is no day, such as a date of long ago that somebody mistyped', () => {
    expect(GERMAN.date('2026-11-20')).to.equal('20.11.2026');
    expect(ENGLISH.date('2026-11-20')).to.equal('20 Nov 2026');
    expect(ENGLISH.date('20.11.2026')).to.equal('20.11.2026');
  });
});

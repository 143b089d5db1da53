import { expect } from 'chai';
import { numberInWords } from '../../../../src/pages/dashboard/in-words.js';

describe('numberInWords', () => {
  for (const [value, words] of [
    [12500, '12,500'],
    [1985, '1985'],
    [-3.14159, '-3.142'],
    [0.0015, '0.0015'],
    [-0, '0'],
    [-0.0000001, '-1e-7'],
    [2.5e-9, '2.5e-9'],
    [1e20, '1e20'],
  ] as const) {
    it(`says ${words}, which is neither rounded to zero nor endless`, () => {
      expect(numberInWords(value)).to.equal(words);
    });
  }
});

import { expect } from 'chai';
import { kindOf } from '../../../../src/services/summary/distribution-tally.js';
import { someField } from '../../dictionary/some-field.js';

describe('The kind of a distribution', () => {
  for (const [annotation, kind] of [
    ['', 'numbers'],
    ["@CALCTEXT(if([age] > 17, 'adult', 'child'))", 'presence'],
    ["@CALCDATE([visit], 7, 'd')", 'presence'],
  ] as const) {
    it(`is ${kind} for a calculation annotated with ${JSON.stringify(annotation)}`, () => {
      expect(kindOf(someField('bmi', { type: 'calc', annotation }))).to.equal(kind);
    });
  }
});

import { expect } from 'chai';
import fc from 'fast-check';
import { checkboxColumnName, formStatusName } from '../../../../src/domain/dictionary/export-column.js';

describe('checkboxColumnName', () => {
  for (const [code, expected] of [
    ['-99', 'f____99'],
    ['Aa', 'f___aa'],
    ['3dddd', 'f___3dddd'],
    ['1.5', 'f___1_5'],
    ['choice_1', 'f___choice_1'],
    ['É', 'f____'],
  ] as const) {
    it(`makes ${expected} from the code ${code}`, () => {
      expect(checkboxColumnName('f', code)).to.equal(expected);
    });
  }

  it('makes a valid column name from any code, regardless of case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (code) => {
        const name = checkboxColumnName('f', code);

        expect(name).to.match(/^f___[a-z0-9_]*$/);
        expect(checkboxColumnName('f', code.toLowerCase())).to.equal(name);
      }),
    );
  });
});

describe('formStatusName', () => {
  it('makes visit_1_complete from the instrument visit_1', () => {
    expect(formStatusName('visit_1')).to.equal('visit_1_complete');
  });
});

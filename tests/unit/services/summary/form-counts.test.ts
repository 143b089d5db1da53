import { expect } from 'chai';
import { completeOf, formsOf } from '../../../../src/services/summary/form-counts.js';
import { CELL } from '../../../support/some-cell.js';

const WITH_GAPS = { ...CELL, incomplete: null, notBegun: null };

describe('The share of complete forms', () => {
  it('is a share of all records, even if small counts are withheld', () => {
    expect(completeOf([CELL])).to.deep.equal({ complete: 20, forms: 30 });
    expect(completeOf([WITH_GAPS])).to.deep.equal({ complete: 20, forms: 30 });
  });

  it('does not count what was not begun of a form that is not expected', () => {
    expect(completeOf([{ ...CELL, isExpected: false }])).to.deep.equal({ complete: 20, forms: 25 });
  });

  it('is unknown if the number of forms is', () => {
    expect(formsOf({ ...WITH_GAPS, isExpected: false })).to.equal(undefined);
    expect(completeOf([{ ...WITH_GAPS, records: null }, { ...CELL, complete: null }, CELL])).to.deep.equal({
      complete: 20,
      forms: 30,
    });
  });
});

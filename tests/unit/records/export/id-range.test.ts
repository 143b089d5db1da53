import { expect } from 'chai';
import fc from 'fast-check';
import { IdRange } from '../../../../src/records/export/id-list.js';

const ids = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 30 });
const bound = fc.nat({ max: 40 });

describe('IdRange', () => {
  it('property: holds the same ids as a slice of an array, and so does a part of it', () => {
    fc.assert(
      fc.property(ids, bound, bound, bound, bound, (all, from, to, partFrom, partTo) => {
        const expected = all.slice(from, to);
        const range = IdRange.of(all).part(from, to);

        expect([...range]).to.deep.equal(expected);
        expect(range.size).to.equal(expected.length);
        expect(all.map((id) => range.placeOf(id))).to.deep.equal(all.map((id) => expected.indexOf(id)));
        expect([...range.part(partFrom, partTo)]).to.deep.equal(expected.slice(partFrom, partTo));
      }),
    );
  });

  it('returns -1 for an id that it does not hold', () => {
    expect(IdRange.of(['a']).placeOf('b')).to.equal(-1);
    expect(IdRange.of([]).placeOf('b')).to.equal(-1);
  });
});

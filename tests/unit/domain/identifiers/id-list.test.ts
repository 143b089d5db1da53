import { expect } from 'chai';
import fc from 'fast-check';
import { readIdList } from '../../../../src/domain/identifiers/id-list.js';
import { writeIdList } from '../../../support/write-id-list.js';

const id = fc.string({
  unit: fc.constantFrom('a', '1', ',', '"', ' ', '%', 'é', '\\', ';'),
  minLength: 1,
  maxLength: 8,
});

describe('readIdList', () => {
  it('takes several values unchanged', () => {
    fc.assert(
      fc.property(fc.array(id, { minLength: 2 }), (ids) => {
        expect(readIdList('records', ids)).to.deep.equal(ids);
      }),
    );
  });

  it('takes a single value as one id unless it starts with a quote', () => {
    fc.assert(
      fc.property(
        id.filter((text) => !text.startsWith('"')),
        (only) => {
          expect(readIdList('records', [only])).to.deep.equal([only]);
        },
      ),
    );
  });

  it('reads every quoted list', () => {
    fc.assert(
      fc.property(fc.array(id, { minLength: 1 }), (ids) => {
        expect(readIdList('records', [writeIdList(ids)])).to.deep.equal(ids);
      }),
    );
  });

  it('reads plain ids next to quoted ones', () => {
    expect(readIdList('records', ['"a,b",c'])).to.deep.equal(['a,b', 'c']);
  });

  for (const broken of ['"a', '"a"b', '"a","b', '"a",b"c']) {
    it(`refuses ${broken} without repeating it`, () => {
      expect(() => readIdList('records', [broken]))
        .to.throw()
        .with.property('errors')
        .that.deep.includes({
          field: 'records',
          message: 'has a quote that is not closed: double the quotes of an id, or repeat the parameter',
        });
    });
  }
});

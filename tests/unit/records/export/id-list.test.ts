import { expect } from 'chai';
import fc from 'fast-check';
import { UpstreamInvalidError } from '../../../../src/domain/errors/upstream-errors.js';
import { IdList } from '../../../../src/records/export/id-list.js';

describe('IdList', () => {
  it('holds the same ids as a Set, in the same order', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 200 }), (ids) => {
        expect(contentOf(listOf(ids))).to.deep.equal([...new Set(ids)]);
      }),
    );
  });

  it('holds an id that fills a page, and refuses a longer one', () => {
    const list = listOf(['a', 'b'.repeat(65_536), 'c']);

    expect(contentOf(list)).to.deep.equal(['a', 'b'.repeat(65_536), 'c']);
    expect(() => list.add(Buffer.alloc(65_537))).to.throw(UpstreamInvalidError, 'longer than any record id');
  });

  it('grows to hold many ids', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `STUDY-RECORD-${index}`);

    const list = listOf([...ids, ...ids]);

    expect(list.length).to.equal(20_000);
    expect(list.slice(19_999, 30_000)).to.deep.equal(['STUDY-RECORD-19999']);
    expect(contentOf(list)).to.deep.equal(ids);
  });
});

function listOf(ids: readonly string[]): IdList {
  const list = new IdList();
  for (const id of ids) list.add(Buffer.from(id));
  return list;
}

function contentOf(list: IdList): string[] {
  return list.slice(0, list.length);
}
